/**
 * The explorer as its visitors see it while the platform or the gateway is down, at both widths and in both colour
 * schemes.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueries } from '../../src/sandbox/database/queries.js';
import { startGatewayFor, startTestGateway } from '../support/gateway.js';
import { chromiumNote, isWithoutChromium, launchChromium } from '../support/http/chromium.js';
import { checkPage, openExplorer, openTab } from '../support/http/explorerPage.js';
import { runningClock } from '../support/runningClock.js';
import { startSandbox } from '../support/sandbox/sandbox.js';

/** Collects the rejections with an event of a websocket that nothing handles. */
const RECORD_SOCKET_REJECTIONS = `{
  globalThis.socketRejections = [];
  addEventListener('unhandledrejection', ({ reason }) => {
    if (reason?.target instanceof WebSocket) socketRejections.push(reason.type);
  });
}`;

describe.skipIf(isWithoutChromium)(`outages in the explorer${chromiumNote}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  /** Runs the open operation, and waits until a part of the response has the text. */
  async function run(page: Page, text: string): Promise<string> {
    await page.getByRole('button', { name: /Execute query/ }).click();
    const errors = page.getByRole('region', { name: 'Errors' });
    await errors.getByText(text).first().waitFor();
    return errors.innerText();
  }

  it.each([
    [1400, 'light'],
    [1400, 'dark'],
    [400, 'light'],
    [400, 'dark'],
  ] as const)('are explained in words, without a stack, at %i pixels, %s', async (width, scheme) => {
    const gateway = await startTestGateway({ sandbox: { siteCount: 3 } });
    await gateway.sandbox.close();
    const { page, complaints } = await openExplorer(browser, gateway.url, width, scheme);
    const platformDown = await run(page, 'The platform could not be reached.');
    expect(platformDown).toContain('PLATFORM_UNAVAILABLE');
    await checkPage(page, width, `explorer-platform-down-${width}-${scheme}`);
    expect(complaints).toEqual([]);
    await page.evaluate(RECORD_SOCKET_REJECTIONS);
    await gateway.stop();
    const gatewayDown = await run(page, 'The gateway does not respond.');
    expect(gatewayDown).not.toMatch(/PLATFORM_UNAVAILABLE|Failed to fetch|stack/);
    await checkPage(page, width, `explorer-gateway-down-${width}-${scheme}`);
    await openTab(page, 'Live');
    await page.getByRole('button', { name: /Execute query/ }).click();
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByText('The gateway does not respond.', { exact: false }).waitFor();
    await checkPage(page, width, `explorer-live-down-${width}-${scheme}`);
    expect(await page.evaluate('socketRejections')).toEqual([]);
    // Modules and workers of the editors that are not loaded yet can no longer be loaded.
    const isOther = (line: string) => /^thrown: (?!Event$)/.test(line) && !line.includes('imported module');
    expect(complaints.filter(isOther)).toEqual([]);
  });

  it('of the gateway do not end Live: it says that it reconnects, and then shows the samples that it missed', async () => {
    const sandbox = await startSandbox({ siteCount: 3 });
    const [{ key, secret }] = sandbox.credentials;
    const platform = { url: sandbox.url, key, secret };
    const first = await startGatewayFor(platform, { livePollMs: 100 });
    const { page } = await openExplorer(browser, first.url, 1400, 'light');
    await openTab(page, 'Live');
    await page.getByRole('button', { name: /Execute query/ }).click();
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByText('Platform polled up to', { exact: false }).waitFor();
    const { all, run: write } = createQueries(sandbox.database);
    const [stream] = all<{ id: number }>(
      `SELECT s.id FROM scalar_sample JOIN stream s ON s.id = stream_id JOIN client c ON c.account_id = s.account_id
       WHERE c.key = ? LIMIT 1`,
      key,
    );
    const append = (value: number) => {
      const [newest] = all<{ id: number }>('SELECT max(id) AS id FROM scalar_sample');
      const at = Math.floor(runningClock.now() / 1000);
      write(
        'INSERT INTO scalar_sample VALUES (?, ?, ?, ?)',
        Number(newest?.id) + 1,
        Number(stream?.id),
        at,
        value,
      );
    };
    append(1234.5);
    await events.getByText('1 received').waitFor();
    await first.stop();
    await events.getByText('Reconnecting …', { exact: false }).waitFor();
    await checkPage(page, 1400, 'explorer-live-reconnecting');
    append(5432.25);
    const second = await startGatewayFor(platform, {
      livePollMs: 100,
      port: Number(new URL(first.url).port),
    });
    await events.getByText('2 received').waitFor();
    await events.getByText('Reconnecting …', { exact: false }).waitFor({ state: 'detached' });
    append(6543.75);
    await events.getByText('3 received').waitFor();
    const values = await events.locator('.fieldgraph-events span', { hasText: /^value / }).allTextContents();
    expect(values).toEqual(['value 6543.75', 'value 5432.25', 'value 1234.5']);
    await second.stop();
  });

  it('a response of a proxy is recognised by its status and body', async () => {
    const gateway = await startTestGateway({ sandbox: { siteCount: 3 } });
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light');
    for (const [status, body, ...words] of [
      [502, '<html><h1>502 Bad Gateway</h1></html>', 'is not JSON', 'It cannot reach the gateway.'],
      [413, 'Payload Too Large', 'is not JSON', 'The operation is larger than it allows.'],
      [504, '', 'is empty', 'The gateway did not respond to it in time.'],
      [200, '', 'is empty', 'Perhaps you have to sign in there.'],
    ] as const) {
      await page.unroute('**/graphql');
      await page.route('**/graphql', (route) => route.fulfill({ status, contentType: 'text/html', body }));
      const shown = await run(page, `The response with status ${status}`);
      for (const part of ['a proxy in front of the gateway', ...words]) expect(shown).toContain(part);
      expect(shown).not.toMatch(/token|Unexpected|stack/);
    }
  });

  it('a credential that no header can contain is named, and the gateway is not blamed', async () => {
    const gateway = await startTestGateway({ sandbox: { siteCount: 3 } });
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light');
    await page.getByLabel('Credential').fill('5€');
    await page.getByRole('button', { name: 'Apply' }).click();
    const shown = await run(page, 'The header "Authorization" is invalid');
    expect(shown).toContain('"€"');
    expect(shown).not.toContain('The gateway does not respond');
  });
});
