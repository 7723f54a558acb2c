/** How operations of the explorer end, are explained and are linked, in Chromium. */
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fullestStream, startTestGateway, type TestGateway } from '../support/gateway.js';
import { chromiumNote, isWithoutChromium, launchChromium, watchNetwork } from '../support/http/chromium.js';
import { openExplorer, openTab } from '../support/http/explorerPage.js';
import { createGate, WAIT } from '../support/waiting.js';

const isFor = (name: string) => (request: Request) => (request.postData() ?? '').includes(`query ${name}`);

describe.skipIf(isWithoutChromium)(`operations of the explorer${chromiumNote}`, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let untilQuiet: () => Promise<void>;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  beforeEach(async () => {
    gateway = await startTestGateway({ sandbox: { siteCount: 3 } });
    const opened = await openExplorer(browser, gateway.url, 1300, 'light');
    ({ context, page, complaints, untilQuiet } = opened);
    await untilQuiet();
  });

  afterEach(async () => {
    expect(complaints).toEqual([]);
    await context.close();
    await gateway.stop();
  });

  const run = () => page.getByRole('button', { name: /Execute query/ }).click();
  const apply = () => page.getByRole('button', { name: 'Apply' }).click();

  it.each([
    ['Stop is pressed', () => page.getByRole('button', { name: /Stop query/ }).click()],
    ['another tab opens', () => openTab(page, 'Nearby')],
  ])('end with their request when %s, and show no late response', async (_, stop) => {
    const { open, opened } = createGate();
    await page.route('**/graphql', async (route) => {
      if (isFor('Fleet')(route.request())) await opened;
      await route.continue().catch(() => undefined);
    });
    const [sent] = await Promise.all([page.waitForRequest(isFor('Fleet')), run()]);
    const failed = page.waitForEvent('requestfailed', (request) => request === sent);
    await stop();
    await failed;
    open();
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    expect(await page.locator('.result-window').innerText()).not.toContain('data');
  });

  /** Runs the text with an explanation. */
  async function explain(query: string) {
    await page.getByLabel('Explain REST calls').check();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(query);
    const stored = () => page.evaluate<string>("localStorage.getItem('fieldgraph:graphiql:query')");
    await expect.poll(stored, WAIT).toContain(query.slice(0, query.indexOf(' {')));
    await run();
    return page.getByRole('region', { name: 'Explain' });
  }

  it('are explained with the REST calls of all their parts', async () => {
    const explanation = await explain(
      'query Parts { sites(first: 1) { nodes { id ... @defer { name devices { serialNumber } } } } }',
    );
    await explanation.getByRole('cell', { name: /devices?$/ }).waitFor();
    await explanation.getByRole('cell', { name: '/v2.0/site', exact: true }).waitFor();
  });

  it('have a timeline that tells streams without samples from calls that failed', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/stream/{streamId}/sample/last', status: 404 });
    gateway.sandbox.faults.add({ match: '/v2.0/stream/{streamId}/threshold', status: 403 });
    gateway.sandbox.faults.add({ match: '/v2.0/channel', destroySocket: true });
    const stream = fullestStream(gateway, 'scalar');
    const explanation = await explain(
      `query NoSamples { stream(id: "${stream}") { lastSample { value } threshold { levels { name } } } channels { totalCount } }`,
    );
    await explanation.getByText('Timeline').waitFor();
    const calls = await explanation.locator('.fieldgraph-timeline li').all();
    const shown = await Promise.all(
      calls.map(async (call) => [
        (await call.innerText()).replace(/ · .*/s, ''),
        await call.locator('rect').getAttribute('data-failed'),
      ]),
    );
    expect(shown).toContainEqual(['/v2.0/stream/{streamId}/sample/last 404, no samples', 'false']);
    expect(shown).toContainEqual(['/v2.0/stream/{streamId}/threshold 403, 2 attempts', 'true']);
    expect(shown).toContainEqual(['/v2.0/channel no response, 3 attempts', 'true']);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/time-line.png` });
  });

  it('are linked from the tab of this window, and the address keeps no link that was copied', async () => {
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (globalThis.copied = text) } })",
    );
    const other = await context.newPage();
    const untilOtherIsQuiet = watchNetwork(other);
    await other.goto(`${gateway.url}/`);
    await other.locator('.graphiql-query-editor .view-line').first().waitFor();
    await untilOtherIsQuiet();
    await openTab(other, 'Nearby');
    const tabState = () => page.evaluate<string>("localStorage.getItem('fieldgraph:graphiql:tabState')");
    await expect.poll(tabState, WAIT).toContain('"activeTabIndex":3');
    await page.bringToFront();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').waitFor();
    expect(decodeURIComponent(await page.evaluate<string>('copied'))).toContain('query Fleet');
    expect(page.url()).toBe(`${gateway.url}/`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Command copied.').waitFor();
    const command = await page.evaluate<string>('copied');
    expect(command).toContain(`curl '${gateway.url}/graphql'`);
    expect(command).toContain('query Fleet');
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    const headersEditor = page.locator('.graphiql-editor-tool .monaco-editor:visible');
    await headersEditor.click();
    await page.keyboard.insertText('{ "X-Team": "blue", /* Run accepts comments and trailing commas. */ }');
    const copyAgain = async () => {
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      return await page.evaluate<string>('copied');
    };
    await expect.poll(copyAgain, WAIT).toContain("-H 'x-team: blue'");
    await headersEditor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "X-Team": }');
    const noteOfCopy = async () => {
      await copyAgain();
      return await page.getByRole('status').first().textContent();
    };
    const problem = 'The headers are invalid JSON: expected a value at line 1, column 13';
    await expect.poll(noteOfCopy, WAIT).toContain(problem);
    await headersEditor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Variables', exact: true }).click();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('query One { __typename } query Two { __typename }');
    await expect.poll(copyAgain, WAIT).toContain('"operationName":"One"');
    await run();
    await page.getByRole('menuitem', { name: 'Two' }).click();
    await expect.poll(copyAgain, WAIT).toContain('"operationName":"Two"');
  });

  it('hide the cancellations of Monaco, and no other error', async () => {
    const reject = (name: string) =>
      page.evaluate(`{
        const error = Object.assign(new Error('${name}'), { name: '${name}' });
        void Promise.reject(error);
        setTimeout(() => { throw error; });
      }`);
    await reject('Canceled');
    await reject('Other');
    await expect.poll(() => complaints, WAIT).toEqual(['thrown: Other', 'thrown: Other']);
    complaints.length = 0;
  });

  it('are linked for a first visit, in a tab that survives a change of the tab and a reload', async () => {
    const first = await (await browser.newContext()).newPage();
    const untilQuiet = watchNetwork(first);
    const query = 'query Linked($id: ID, $at: DateTime, $n: Int) { __typename }';
    const variables = '{ "id": 88001, "at": 1605810582000, "n": "no number" }';
    const link = encodeURIComponent(JSON.stringify([query, variables]));
    const names = () => first.locator('.graphiql-tab-button').allTextContents();
    const editor = first.locator('.graphiql-query-editor');
    await first.goto(`${gateway.url}/#operation=${link}`);
    await editor.filter({ hasText: 'Linked' }).waitFor();
    await untilQuiet();
    expect((await names()).slice(0, 2)).toEqual(['Linked', 'Fleet']);
    // The editor accepts numbers as ids and times, and marks only the invalid value.
    const marked = first.locator('.graphiql-editor-tool .squiggly-error');
    await expect.poll(() => marked.count(), WAIT).toBe(1);
    await first.reload();
    await editor.filter({ hasText: 'Linked' }).waitFor();
    await openTab(first, 'Nearby');
    await openTab(first, 'Linked');
    await editor.filter({ hasText: 'Linked' }).waitFor();
    expect(await names()).toHaveLength(6);
    await first.goto(`${gateway.url}/#operation=damaged`);
    await first.getByText('The link is damaged.').waitFor();
    expect(first.url()).toBe(`${gateway.url}/`);
    await first.context().close();
  });

  it('end when a credential is applied', async () => {
    await openTab(page, 'Live');
    const [socket] = await Promise.all([page.waitForEvent('websocket'), run()]);
    const closed = socket.waitForEvent('close');
    await apply();
    await closed;
  });

  it('use the newest credential, although the response to an earlier one comes later', async () => {
    const { open, opened } = createGate();
    let requests = 0;
    await page.route('**/graphql', async (route) => {
      const isFirst = isFor('ExplorerExamples')(route.request()) && requests++ === 0;
      if (!isFirst) return route.continue();
      await opened;
      return route.fulfill({ status: 401, json: { errors: [] } });
    });
    await apply();
    await Promise.all([page.waitForRequest((one) => (one.postData() ?? '').includes('__schema')), apply()]);
    const refused = page.waitForResponse((response) => response.status() === 401);
    open();
    await (await refused).finished();
    await untilQuiet();
    expect(await page.getByText('This gateway needs a valid credential.').count()).toBe(0);
  });

  it('fit into the window without a scrollbar, and scroll into view in a small one', async () => {
    await page.setViewportSize({ width: 1300, height: 800 });
    await run();
    await page.getByRole('region', { name: 'Response' }).waitFor();
    const overflow = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
    await expect.poll(() => page.evaluate(overflow), WAIT).toBe(0);
    for (const [width, height] of [
      [375, 667],
      [640, 450],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      // Fails where something else covers the middle of an element.
      await page.locator('.graphiql-editor-tool .view-lines').first().click({ trial: true });
      for (const name of ['Map', 'JSON', 'Variables']) {
        await page.getByRole('button', { name, exact: true }).click({ trial: true });
      }
    }
  });

  it('are left with Escape, and entered with Enter', async () => {
    const editor = page.locator('.graphiql-query-editor .graphiql-editor');
    const isFocused = (selector: string) =>
      page.evaluate(
        `document.activeElement.closest('.graphiql-query-editor')?.querySelector('${selector}') === document.activeElement`,
      );
    await editor.locator('.view-lines').click();
    await page.keyboard.press('Escape');
    expect(await isFocused('.graphiql-editor')).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isFocused('.graphiql-execute-button')).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    expect(await isFocused('textarea')).toBe(true);
    const current = page.locator('.graphiql-tab-button[aria-current="true"]');
    expect(await current.allTextContents()).toEqual(['Fleet']);
    await openTab(page, 'Nearby');
    expect(await current.allTextContents()).toEqual(['Nearby']);
  });

  it('have names for screen readers, as have the buttons that close tabs', async () => {
    for (const name of ['Query', 'Variables']) {
      const frame = page.getByRole('group', { name, exact: true });
      await frame.getByRole('textbox', { name, exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.getByRole('textbox', { name: 'Headers', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Response', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close Fleet' }).click();
    await page.getByRole('button', { name: 'Close Fleet' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close SitePage' }).waitFor();
  });

  it('scroll by the wheel up to their end, and then the page of a low window', async () => {
    await page.setViewportSize({ width: 1000, height: 420 });
    const lines = page.locator('.graphiql-query-editor .view-lines');
    const pageTop = () => page.evaluate('scrollY');
    const turn = async (pixels: number) => {
      await page.mouse.wheel(0, pixels);
      return pageTop();
    };
    // Playwright would scroll the lines themselves into view.
    await page.locator('.graphiql-query-editor .monaco-editor').hover({ position: { x: 50, y: 30 } });
    await turn(100);
    await expect.poll(() => lines.innerText(), WAIT).not.toContain('Press the Run button');
    expect(await pageTop()).toBe(0);
    await expect.poll(() => turn(200), WAIT).toBeGreaterThan(0);
    expect(await lines.innerText()).toContain('sampledAt');
    await expect.poll(() => turn(-200), WAIT).toBe(0);
  });
});
