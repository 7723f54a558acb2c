/** The examples in a real browser: a year of charts, live, accessible, small, without console messages. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Request, Route, WebSocketRoute } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  chromiumNote,
  isWithoutChromium,
  launchChromium,
  setPageTime,
  watchNetwork,
} from '../support/http/chromium.js';
import { createTestClock } from '../support/sandbox/sandbox.js';
import { createGate, WAIT, WAIT_MS } from '../support/waiting.js';

const folder = path.join(import.meta.dirname, '..', '..', 'examples');
/** Set it to a folder to get pictures. */
const pictures = process.env['PICTURES'];
/** At this time of day some streams of the sandbox are in an alarm level. */
const clock = createTestClock(Date.UTC(2026, 2, 14, 11, 0));

interface ChartRequest {
  variables: { id: string; after?: string | null; range: { from: string } };
}

const isQuery = (route: Route, name: string) =>
  route.request().postData()?.includes(`query ${name}`) === true;

const outage = { message: 'The platform is away.', extensions: { code: 'PLATFORM_UNAVAILABLE' } };
const stopping = { message: 'The gateway is stopping.', extensions: { code: 'STOPPING' } };

/** The field at the path is null in each response to this query, and `errors` says why. */
const failField = (page: Page, query: string, path: (string | number)[]) =>
  page.route('**/graphql', async (route) => {
    if (!isQuery(route, query)) return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    const parent = path.slice(0, -1).reduce((value, key) => value[key], json.data);
    parent[required(path.at(-1))] = null;
    return route.fulfill({ response, json: { ...json, errors: [{ ...outage, path }] } });
  });

/** Counts the observers of a page that are not disconnected. */
const COUNT_OBSERVERS = `{
  const SystemObserver = ResizeObserver;
  globalThis.observers = new Set();
  globalThis.ResizeObserver = class extends SystemObserver {
    observe(element) {
      observers.add(this);
      super.observe(element);
    }
    disconnect() {
      observers.delete(this);
      super.disconnect();
    }
  };
}`;

/** Collects the labels at the left of each chart since it was last cleared. */
const COLLECT_LABELS = `{
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
  globalThis.labels = new Map();
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    labels.set(this.canvas, []);
    clearRect.apply(this, area);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    if (this.textAlign === 'right') labels.get(this.canvas)?.push(text);
    fillText.call(this, text, ...place);
  };
}`;

describe.skipIf(isWithoutChromium)(`the examples in Chromium${chromiumNote}`, () => {
  let gateway: TestGateway;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startTestGateway({
      sandbox: { siteCount: 30, days: 365, historyDays: 2, clock },
      gateway: { clock, livePollMs: 250 },
    });
    process.env['GATEWAY_URL'] = gateway.url;
    browser = await launchChromium();
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
      hasCharts = true,
    ) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      await setPageTime(context, clock.now());
      const page = await context.newPage();
      const untilQuiet = watchNetwork(page);
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
        operations.push(`${nameOf(response.request().postData() ?? '')} responded`),
      );
      await page.goto(required(server.resolvedUrls?.local[0]));
      await page.locator('#live', { hasText: 'Live' }).waitFor();
      if (hasCharts) await expect.poll(() => operations.includes('Chart responded'), WAIT).toBe(true);
      await page.locator('#alarms button').first().waitFor();
      await untilQuiet();
      const countAlarms = () => operations.filter((operation) => operation === 'Alarms').length;
      return { page, complaints, charts, operations, countAlarms, untilQuiet, close: () => context.close() };
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
      const { page, complaints, untilQuiet, close } = await openPage(width, scheme);
      expect(await page.locator('#sites li').count()).toBe(30);
      expect(await page.locator('#alarms button').count()).toBeGreaterThan(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.locator('#alarms button').first().click();
      await page.locator('#sites [aria-current="true"]', { hasText: 'alarm' }).waitFor();
      await untilQuiet();
      if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-${width}-${scheme}.png`) });
      expect(await seriousFindings(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('requests no alarms and no other chart before the first chart is there, and for each chart once', async () => {
      const { page, charts, operations, close } = await openPage(1400, 'light');
      await page.waitForFunction('performance.getEntriesByName("chart").length > 0');
      const firstChart = operations.indexOf('Chart responded');
      expect(firstChart).toBeGreaterThan(0);
      expect(operations.slice(0, firstChart).filter((name) => name === 'Chart')).toHaveLength(1);
      expect(operations.indexOf('Alarms')).toBeGreaterThan(firstChart);
      const whole = charts.filter(({ variables }) => !variables.after).map(({ variables }) => variables.id);
      expect(new Set(whole).size).toBe(whole.length);
      await close();
    });

    it('says that a chart is loading until it has its points', async () => {
      const plots: string[] = [];
      const { page, close } = await openPage(1400, 'light', (page) =>
        page.route('**/graphql', async (route) => {
          const isWhole = !route.request().postData()?.includes('"after":"');
          if (isWhole && isQuery(route, 'Chart')) {
            const text = `getComputedStyle(document.querySelector('.plot[aria-busy="true"]'), '::after').content`;
            plots.push(await page.evaluate<string>(text));
          }
          return route.continue();
        }),
      );
      expect(new Set(plots)).toEqual(new Set(['"Loading …"']));
      await expect.poll(() => page.locator('.plot[aria-busy="true"]').count(), WAIT).toBe(0);
      expect(await page.locator('.plot[aria-busy="false"]').count()).toBeGreaterThan(0);
      await close();
    });

    it.each<[string, (id: string) => object[]]>([
      [
        'a result without data',
        (id) => [
          { type: 'next', id, payload: { data: null, errors: [stopping] } },
          { type: 'complete', id },
        ],
      ],
      ['an error', (id) => [{ type: 'error', id, payload: [stopping] }]],
    ])(
      'subscribes and loads again when the gateway ends a subscription with %s but not the connection',
      async (_, lastFrames) => {
        const begun: string[] = [];
        let end = () => {};
        const { complaints, countAlarms, close } = await openPage(1400, 'light', (page) =>
          page.routeWebSocket('**/graphql', (socket) => {
            const server = socket.connectToServer();
            socket.onMessage((text) => {
              server.send(text);
              const { id, type, payload } = JSON.parse(String(text));
              if (type !== 'subscribe' || begun.push(JSON.stringify(payload)) > 1) return;
              end = () => {
                for (const frame of lastFrames(id)) socket.send(JSON.stringify(frame));
              };
            });
          }),
        );
        const alarms = countAlarms();
        end();
        await expect.poll(() => begun.slice(1), WAIT).toContain(begun[0]);
        await expect.poll(countAlarms, WAIT).toBeGreaterThan(alarms);
        expect(complaints).toEqual([]);
        await close();
      },
    );

    it('loads the alarms again after each connection', async () => {
      const sockets: WebSocketRoute[] = [];
      const { countAlarms, close } = await openPage(1400, 'light', (page) =>
        page.routeWebSocket('**/graphql', (socket) => {
          socket.connectToServer();
          sockets.push(socket);
        }),
      );
      const alarms = countAlarms();
      await required(sockets[0]).close({ code: 1012, reason: 'Service restart' });
      await expect.poll(() => sockets.length, WAIT).toBe(2);
      await expect.poll(countAlarms, WAIT).toBeGreaterThan(alarms);
      await close();
    });

    it('loads the alarms again after the first heartbeat, when queries have every sample from before it', async () => {
      let requests = 0;
      let requestsBefore: number | undefined;
      const { countAlarms, close } = await openPage(1400, 'light', async (page) => {
        const loaded = page.waitForEvent('requestfinished', isAlarms);
        page.on('request', (request) => {
          if (isAlarms(request)) requests += 1;
        });
        await page.routeWebSocket('**/graphql', (socket) => {
          socket.connectToServer().onMessage(async (text) => {
            // Late, so that a page that loads without waiting has done so.
            if (requestsBefore === undefined && hasAsOf(text)) {
              await loaded;
              await sleep(500);
              requestsBefore ??= requests;
            }
            socket.send(text);
          });
        });
      });
      await expect.poll(countAlarms, WAIT).toBeGreaterThan(1);
      expect(requestsBefore).toBe(1);
      await close();
    });

    const isAlarms = (request: Request) => request.postData()?.includes('query Alarms') === true;
    const hasAsOf = (text: string | Buffer) => String(text).includes('"asOf"');

    /** Sends two alarm changes, and a ping after them. */
    function sendEvents(socket: WebSocketRoute, id: string): void {
      const event = { type: 'next', id, payload: { data: { thresholdStatusChanged: { cursor: 'cursor' } } } };
      for (const frame of [event, event, { type: 'ping', payload: { isLast: true } }])
        socket.send(JSON.stringify(frame));
    }

    it('loads the alarms once more when they change during their request', async () => {
      const { open: release, opened: released } = createGate();
      let requests = 0;
      const { countAlarms, close } = await openPage(1400, 'light', async (page) => {
        await page.route('**/graphql', async (route) => {
          if (isQuery(route, 'Alarms') && requests++ === 0) await released;
          await route.continue();
        });
        await page.routeWebSocket('**/graphql', (socket) => {
          const server = socket.connectToServer();
          let changesId: string | undefined;
          socket.onMessage((text) => {
            const { id, type, payload } = JSON.parse(String(text));
            // The page has both events when it responds to the ping after them.
            if (type === 'pong' && payload?.isLast) return release();
            if (payload?.query?.includes('AlarmChanges')) changesId = id;
            server.send(text);
          });
          server.onMessage((text) => {
            socket.send(text);
            // After the first heartbeat, which loads the alarms too.
            if (changesId === undefined || !hasAsOf(text)) return;
            sendEvents(socket, changesId);
            changesId = undefined;
          });
        });
      });
      expect(countAlarms()).toBe(2);
      await close();
    });

    it('loads the alarms again when they could not be loaded', async () => {
      let requests = 0;
      const { close } = await openPage(1400, 'light', (page) =>
        page.route('**/graphql', (route) =>
          isQuery(route, 'Alarms') && requests++ === 0 ? route.abort() : route.continue(),
        ),
      );
      expect(requests).toBeGreaterThan(1);
      await close();
    });

    it('shows alarms and a chart although other fields could not be loaded', async () => {
      const { page, complaints, close } = await openPage(1400, 'light', async (page) => {
        await failField(page, 'Alarms', ['streams', 'nodes', 0, 'lastSample']);
        await failField(page, 'Chart', ['stream', 'threshold', 'levels']);
      });
      await page.waitForFunction('performance.getEntriesByName("chart").length > 0');
      expect(await page.locator('#alarms button').count()).toBeGreaterThan(0);
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows an outage in words, and loads sites and charts when it is over', async () => {
      const requests = { Sites: 0, SiteStreams: 0 };
      let shown: Promise<unknown> | undefined;
      const { complaints, close } = await openPage(1400, 'light', (page) => {
        const inHeader = page.locator('#live', { hasText: outage.message }).waitFor();
        const place = name === 'react' ? '[role="alert"]' : '#live';
        shown = inHeader.then(() => page.locator(place, { hasText: outage.message }).waitFor());
        return page.route('**/graphql', (route) => {
          if (isQuery(route, 'Sites') && requests.Sites++ < 2)
            return route.fulfill({
              json: { data: { sites: null }, errors: [{ ...outage, path: ['sites'] }] },
            });
          if (isQuery(route, 'SiteStreams') && requests.SiteStreams++ === 0)
            return route.fulfill({ json: { data: { site: null }, errors: [{ ...outage, path: ['site'] }] } });
          return route.continue();
        });
      });
      await shown;
      expect(requests).toEqual({ Sites: 3, SiteStreams: 2 });
      expect(complaints).toEqual([]);
      await close();
    });

    it('has alarms and live data although the first site has no charts', async () => {
      const { page, complaints, close } = await openPage(
        1400,
        'light',
        (page) =>
          page.route('**/graphql', async (route) => {
            if (!isQuery(route, 'SiteStreams')) return route.continue();
            const response = await route.fetch();
            const json = await response.json();
            for (const stream of json.data.site.streams) stream.units = '';
            return route.fulfill({ response, json });
          }),
        false,
      );
      expect(await page.locator('#charts figure').count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    });

    /**
     * Returns a function for `expect.poll` that adds samples at its first call and at every tenth one, and reads a value.
     * Samples at each call would come faster than a busy machine shows them.
     */
    function readWhileSamplesArrive(read: () => number): () => number {
      let calls = 0;
      return () => {
        if (calls % 10 === 0) {
          clock.advance(300_000);
          gateway.sandbox.simulator.step();
        }
        calls += 1;
        return read();
      };
    }

    it('moves the start of its ranges on by the hour', async () => {
      const { page, charts, close } = await openPage(1400, 'light');
      const starts = () => charts.map(({ variables }) => Date.parse(variables.range.from));
      const first = Math.max(...starts());
      await page.evaluate('{ const { now } = Date; Date.now = () => now() + 7_200_000; }');
      const latest = readWhileSamplesArrive(() => Math.max(...starts()));
      await expect.poll(latest, { ...WAIT, interval: 300 }).toBeGreaterThanOrEqual(first + 7_200_000);
      expect(starts().filter((start) => start % 3_600_000 !== 0)).toEqual([]);
      await close();
    });

    it('labels the values of a day differently, although a counter hardly rises', async () => {
      const { page, untilQuiet, close } = await openPage(1400, 'light', (page) =>
        page.addInitScript(COLLECT_LABELS),
      );
      await page.getByRole('button', { name: 'Day', exact: true }).click();
      await untilQuiet();
      await expect.poll(() => page.locator('.plot[aria-busy="true"]').count(), WAIT).toBe(0);
      const charts = await page.evaluate<string[][]>(
        '[...labels].filter(([canvas]) => canvas.isConnected).map(([, texts]) => texts)',
      );
      expect(charts.flat().filter((text) => text.endsWith('M')).length).toBeGreaterThan(1);
      for (const texts of charts) expect(texts).toEqual([...new Set(texts)]);
      await close();
    });

    it('shows no charts of the earlier site while another one cannot be loaded', async () => {
      const { page, close } = await openPage(1400, 'light');
      await page.locator('.plot').first().waitFor();
      await page.route('**/graphql', (route) =>
        isQuery(route, 'SiteStreams') ? route.fulfill({ json: { errors: [outage] } }) : route.fallback(),
      );
      await page.locator('#sites button').nth(1).click();
      await page.getByText(outage.message).first().waitFor();
      expect(await page.locator('.plot').count()).toBe(0);
      await close();
    });

    it('opens another site, and requests only new points when samples arrive', async () => {
      const { page, complaints, charts, close } = await openPage(1400, 'light', (page) =>
        page.addInitScript(COUNT_OBSERVERS),
      );
      expect(charts.length).toBeGreaterThan(0);
      await page.locator('#sites button').nth(1).click();
      const site = await page.locator('#sites button').nth(1).textContent();
      await page.locator('#site-title', { hasText: required(site).replace(/alarm$/, '') }).waitFor();
      const deltas = () => charts.filter(({ variables }) => typeof variables.after === 'string').length;
      const before = deltas();
      await expect.poll(readWhileSamplesArrive(deltas), { ...WAIT, interval: 300 }).toBeGreaterThan(before);
      const plots = await page.locator('.plot').count();
      await expect.poll(() => page.evaluate('observers.size'), WAIT).toBe(plots);
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
