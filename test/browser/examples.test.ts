/** The examples in a real browser: a year of charts, live, accessible, small, without console messages. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import { findChromium, launchChromium, setPageTime } from '../support/http/chromium.js';
import { createTestClock } from '../support/sandbox/sandbox.js';
import { WAIT, WAIT_MS } from '../support/waiting.js';

const executable = findChromium();
const reason =
  executable === undefined ? ' (skipped: no Chromium on the path or in the variable CHROMIUM)' : '';
const folder = path.join(import.meta.dirname, '..', '..', 'examples');
/** Set it to a folder to get pictures. */
const pictures = process.env['PICTURES'];
/** At this time of day some streams of the sandbox are in an alarm level. */
const clock = createTestClock(Date.UTC(2026, 2, 14, 11, 0));

interface ChartRequest {
  variables: { id: string; after?: string | null };
}

describe.skipIf(executable === undefined)(`the examples in Chromium${reason}`, () => {
  let gateway: TestGateway;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startTestGateway({
      sandbox: { siteCount: 30, days: 365, historyDays: 2, clock },
      gateway: { clock, livePollMs: 250 },
    });
    process.env['GATEWAY_URL'] = gateway.url;
    browser = await launchChromium(executable ?? '');
  });

  afterAll(() => browser?.close());

  describe.each(['dashboard', 'react'])('%s', (name) => {
    const root = path.join(folder, name);
    const configFile = path.join(folder, 'vite.config.ts');
    let server: PreviewServer;

    beforeAll(async () => {
      // As a visitor gets it: in development, React mounts each component twice.
      vi.stubEnv('NODE_ENV', 'production');
      await build({ root, configFile });
      vi.unstubAllEnvs();
      server = await preview({ root, configFile, logLevel: 'silent', preview: { port: 0 } });
    });

    afterAll(() => server?.close());

    async function openPage(
      width: number,
      colorScheme: 'light' | 'dark',
      prepare?: (page: Page) => Promise<unknown>,
    ) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      await setPageTime(context, clock.now());
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      await prepare?.(page);
      const complaints: string[] = [];
      const charts: ChartRequest[] = [];
      /** The operations in the order of their requests and responses. */
      const operations: string[] = [];
      const nameOf = (body: string) => /"(?:query|operationName)":"(?:query )?(\w+)/.exec(body)?.[1] ?? '';
      page.on('console', (line) => {
        complaints.push(`${line.type()}: ${line.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
      page.on('request', (request) => {
        const body = request.postData() ?? '';
        if (body.includes('query Chart')) charts.push(JSON.parse(body) as ChartRequest);
        if (body) operations.push(nameOf(body));
      });
      page.on('response', (response) =>
        operations.push(`${nameOf(response.request().postData() ?? '')} answered`),
      );
      await page.goto(required(server.resolvedUrls?.local[0]));
      await page.locator('#live', { hasText: 'Live' }).waitFor();
      await expect.poll(() => operations.includes('Chart answered'), WAIT).toBe(true);
      await page.locator('#alarms button').first().waitFor();
      await page.waitForLoadState('networkidle');
      return { page, complaints, charts, operations, close: () => context.close() };
    }

    /** The violations that axe-core calls serious or critical. */
    async function seriousFindings(page: Page): Promise<string[]> {
      await page.addScriptTag({ path: path.join(folder, '..', 'node_modules', 'axe-core', 'axe.min.js') });
      const { violations } = await page.evaluate<{ violations: { id: string; impact: string }[] }>(
        'axe.run()',
      );
      return violations.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id }) => id);
    }

    it.each([
      [1400, 'light'],
      [400, 'dark'],
      ...(pictures
        ? ([
            [1400, 'dark'],
            [400, 'light'],
          ] as const)
        : []),
    ] as const)('shows sites, alarms and charts at %i px, %s', async (width, scheme) => {
      const { page, complaints, close } = await openPage(width, scheme);
      expect(await page.locator('#sites li').count()).toBe(30);
      expect(await page.locator('#alarms button').count()).toBeGreaterThan(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.locator('#alarms button').first().click();
      await page.locator('#sites [aria-current="true"]', { hasText: 'alarm' }).waitFor();
      await page.waitForLoadState('networkidle');
      if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-${width}-${scheme}.png`) });
      expect(await seriousFindings(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('asks for no alarms and for no other chart before the first chart is there, and for each chart once', async () => {
      const { page, charts, operations, close } = await openPage(1400, 'light');
      await page.waitForFunction('performance.getEntriesByName("chart").length > 0');
      const firstChart = operations.indexOf('Chart answered');
      expect(firstChart).toBeGreaterThan(0);
      expect(operations.slice(0, firstChart).filter((name) => name === 'Chart')).toHaveLength(1);
      expect(operations.indexOf('Alarms')).toBeGreaterThan(firstChart);
      const whole = charts.filter(({ variables }) => !variables.after).map(({ variables }) => variables.id);
      expect(new Set(whole).size).toBe(whole.length);
      await close();
    });

    it('subscribes again when the gateway ends a subscription but not the connection', async () => {
      const begun: string[] = [];
      const { complaints, close } = await openPage(1400, 'light', (page) =>
        page.routeWebSocket('**/graphql', (socket) => {
          const server = socket.connectToServer();
          socket.onMessage((text) => {
            server.send(text);
            const { id, type, payload } = JSON.parse(String(text));
            if (type !== 'subscribe' || begun.push(JSON.stringify(payload)) > 1) return;
            const error = { message: 'The gateway is stopping.', extensions: { code: 'STOPPING' } };
            socket.send(JSON.stringify({ type: 'error', id, payload: [error] }));
          });
        }),
      );
      await expect.poll(() => begun.slice(1), WAIT).toContain(begun[0]);
      expect(complaints).toEqual([]);
      await close();
    });

    async function loadsAlarmsAgain() {
      let requests = 0;
      const { close } = await openPage(1400, 'light', (page) =>
        page.route('**/graphql', (route) => {
          const isAlarms = route.request().postData()?.includes('query Alarms') === true;
          return isAlarms && requests++ === 0 ? route.abort() : route.continue();
        }),
      );
      expect(requests).toBeGreaterThan(1);
      await close();
    }
    if (name === 'dashboard') it('loads the alarms again when they could not be loaded', loadsAlarmsAgain);

    it('opens another site, and asks only for what is new when samples arrive', async () => {
      const { page, complaints, charts, close } = await openPage(1400, 'light');
      expect(charts.length).toBeGreaterThan(0);
      await page.locator('#sites button').nth(1).click();
      const site = await page.locator('#sites button').nth(1).textContent();
      await page.locator('#site-title', { hasText: required(site).replace(/alarm$/, '') }).waitFor();
      const deltas = () => charts.filter(({ variables }) => typeof variables.after === 'string').length;
      const before = deltas();
      const samplesArrive = () => {
        clock.advance(300_000);
        gateway.sandbox.simulator.step();
        return deltas();
      };
      await expect.poll(samplesArrive, { ...WAIT, interval: 300 }).toBeGreaterThan(before);
      expect(complaints).toEqual([]);
      await close();
    });
  });

  it('keeps the dashboard under 40 KB in total', async () => {
    const dist = path.join(folder, 'dashboard', 'dist');
    const files = (await readdir(dist, { recursive: true })).filter((file) => /\.(html|js|css)$/.test(file));
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(path.join(dist, file))).length),
    );
    expect(sizes.length).toBe(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_960);
  });
});
