/** The explorer in a real browser: its tabs run unchanged, from local files, without console messages. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueries } from '../../src/sandbox/database/queries.js';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  chromiumNote,
  isWithoutChromium,
  launchChromium,
  setPageTime,
  watchNetwork,
} from '../support/http/chromium.js';
import { until } from '../support/http/edgeGateway.js';
import { openTab } from '../support/http/explorerPage.js';
import { runningClock } from '../support/runningClock.js';
import { WAIT_MS } from '../support/waiting.js';

/** The tabs whose operation ends; the subscription of the last tab does not. */
const queryTabs = ['Fleet', 'SitePage', 'Chart', 'Nearby'];

interface GraphqlResult {
  data: Record<string, unknown>;
  errors?: unknown;
}

describe.skipIf(isWithoutChromium)(`the explorer in Chromium${chromiumNote}`, () => {
  let gateway: TestGateway;
  let browser: Browser;
  /** Shared by all tests, so that Chromium compiles the files of the page once. */
  let context: BrowserContext;
  let page: Page;
  let untilQuiet: () => Promise<void>;
  /** Problems that no visitor must see: console errors and warnings, failures, requests to other hosts. */
  let complaints: string[];

  beforeAll(async () => {
    gateway = await startTestGateway();
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  });

  afterAll(() => browser?.close());

  afterEach(() => page.close());

  beforeEach(async () => {
    page = await context.newPage();
    // The page fills its variables with dates, which must be those of the sandbox.
    await setPageTime(page, runningClock.now());
    untilQuiet = watchNetwork(page);
    page.setDefaultTimeout(WAIT_MS);
    complaints = [];
    page.on('console', (line) => {
      if (['error', 'warning'].includes(line.type())) complaints.push(`${line.type()}: ${line.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      const isLocal = url.origin === gateway.url || ['data:', 'blob:'].includes(url.protocol);
      if (!isLocal) complaints.push(`elsewhere: ${request.url()}`);
    });
    // Removes what the previous test stored.
    await page.goto(`${gateway.url}/healthz`);
    await page.evaluate('localStorage.clear()');
    await page.goto(`${gateway.url}/`);
    await editorIsFilled();
    // Schema and workers: a tab opened before they are loaded is not read.
    await untilQuiet();
  });

  const editorIsFilled = () => page.locator('.graphiql-query-editor .view-line').first().waitFor();

  const tabNames = () => page.locator('.graphiql-tab-button').allTextContents();
  const selectedTab = () => page.locator('.graphiql-tab-active .graphiql-tab-button').textContent();

  const isAnswerTo = (name: string) => (response: Response) =>
    response.url() === `${gateway.url}/graphql` &&
    (response.request().postData() ?? '').includes(`query ${name}`);

  /** The value that GraphiQL stores under a name; it writes a moment after each change. */
  const stored = (name: string) =>
    page.evaluate<string | null>(`localStorage.getItem('fieldgraph:graphiql:${name}')`);

  async function open(name: string): Promise<void> {
    if ((await selectedTab()) !== name) await openTab(page, name);
  }

  /** Opens a tab and presses Run; returns the response from the network. */
  async function run(name: string): Promise<GraphqlResult> {
    await open(name);
    const [response] = await Promise.all([
      page.waitForResponse(isAnswerTo(name)),
      page.getByRole('button', { name: /Execute query/ }).click(),
    ]);
    return (await response.json()) as GraphqlResult;
  }

  /** Shows plain JSON instead of a chart, map or list. */
  const showJson = () => page.getByRole('button', { name: 'JSON', exact: true }).click();

  const hasViews = (name: string) => ['Fleet', 'Chart', 'Live'].includes(name);

  /** Waits until the result pane shows a text; the editor writes its spaces as no-break spaces. */
  async function waitForResult(text: string): Promise<void> {
    if (hasViews((await selectedTab()) ?? '')) await showJson();
    await page
      .locator('.result-window')
      .filter({ hasText: new RegExp(text.replaceAll(' ', '[ \\u00a0]')) })
      .waitFor();
  }

  it('opens with five tabs, Fleet first, and shows names of sites after Run', async () => {
    expect(await tabNames()).toEqual(['Fleet', 'SitePage', 'Chart', 'Nearby', 'Live']);
    expect(await selectedTab()).toBe('Fleet');
    const { errors } = await run('Fleet');
    expect(errors).toBeUndefined();
    const { organizations } = await gateway.ask<{
      organizations: { nodes: { sites: { nodes: { name: string }[] } }[] };
    }>('{ organizations { nodes { sites { nodes { name } } } } }');
    const siteName = organizations.nodes.flatMap(({ sites }) => sites.nodes)[0]?.name;
    await waitForResult(siteName ?? 'a site');
    expect(complaints).toEqual([]);
  });

  it('runs each tab with the variables that the page filled in, without errors', async () => {
    for (const name of queryTabs) {
      const { data, errors } = await run(name);
      expect(errors, name).toBeUndefined();
      expect(Object.values(data), name).not.toContain(null);
      await waitForResult('"data"');
    }
    expect(complaints).toEqual([]);
  });

  it('runs the operation on Ctrl-Enter wherever the focus is, and once if it is in the editor', async () => {
    let sent = 0;
    page.on('request', (request) => {
      if ((request.postData() ?? '').includes('query Fleet')) sent += 1;
    });
    const press = () =>
      Promise.all([page.waitForResponse(isAnswerTo('Fleet')), page.keyboard.press('Control+Enter')]);
    await press();
    await waitForResult('"data"');
    await page.locator('.graphiql-query-editor .view-lines').click();
    await press();
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    expect(sent).toBe(2);
  });

  it('fills Chart with a stream that has numbers to draw', async () => {
    const { data } = await run('Chart');
    const { series } = data['stream'] as { series: { values: number[] } };
    expect(series.values.length).toBeGreaterThan(10);
  });

  it('shows the parts of an operation that defers some', async () => {
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Parts { sites(first: 1) { nodes { id ... @defer { name } } } }');
    await until(async () => (await stored('query'))?.includes('query Parts') ?? false);
    const [response] = await Promise.all([
      page.waitForResponse(isAnswerTo('Parts')),
      page.getByRole('button', { name: /Execute query/ }).click(),
    ]);
    expect(response.headers()['content-type']).toContain('incrementalSpec=v0.2');
    const { sites } = await gateway.ask<{ sites: { nodes: { name: string }[] } }>(
      '{ sites(first: 1) { nodes { name } } }',
    );
    await waitForResult(required(sites.nodes[0], 'site').name);
  });

  /** Adds a scalar sample now; returns the name of its stream. */
  function append(value: number): string {
    const db = createQueries(gateway.sandbox.database);
    const sql = 'SELECT id, display_name AS name FROM stream WHERE account_id = ? LIMIT 1';
    const { id, name } = required(db.one<{ id: number; name: string }>(sql, gateway.accountId), 'stream');
    const last = required(db.one<{ id: number }>('SELECT max(id) AS id FROM scalar_sample'), 'sample');
    db.run(
      'INSERT INTO scalar_sample VALUES (?, ?, ?, ?)',
      last.id + 1,
      id,
      Math.floor(runningClock.now() / 1000),
      value,
    );
    return name;
  }

  const polls = () =>
    gateway.restCalls().filter(({ query }) => query['sampleID'] !== undefined && !query['backfillHours'])
      .length;

  it('lists samples in Live as they arrive, the newest first, until it is stopped', async () => {
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await until(async () => (await stored('query'))?.includes('subscription Live') ?? false);
    gateway.sandbox.calls.reset();
    await page.getByRole('button', { name: /Execute query/ }).click();
    // The first such call searches for the end of the samples.
    await until(() => polls() > 1);
    // The first heartbeat fills the list before any sample.
    await page.getByText(/^0 received ?Platform polled up to /).waitFor();
    await page.getByText('No events yet.').waitFor();
    for (const value of [1234.5, 5432.25]) {
      const name = append(value);
      await waitForResult(`"value": ${value}`);
      await waitForResult(name);
    }
    await waitForResult('"received": 2');
    const text = (await page.locator('.result-window').textContent()) ?? '';
    expect(text.indexOf('5432.25')).toBeGreaterThan(0);
    expect(text.indexOf('1234.5')).toBeGreaterThan(text.indexOf('5432.25'));
    await page.getByRole('button', { name: /Stop query/ }).click();
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    await until(async () => {
      const before = gateway.sandbox.calls.total();
      await page.waitForTimeout(1000);
      return gateway.sandbox.calls.total() === before;
    });
    expect(complaints).toEqual([]);
  });

  it('shows the descriptions of the schema in its documentation', async () => {
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const panel = page.locator('.graphiql-doc-explorer');
    // The search field shows its shortcut whole.
    await panel.getByRole('combobox').waitFor();
    const spareWidth = await page.evaluate<number>(`{
      const field = document.querySelector('.graphiql-doc-explorer [role="combobox"]');
      const context = document.createElement('canvas').getContext('2d');
      const { fontSize, fontFamily } = getComputedStyle(field);
      context.font = fontSize + ' ' + fontFamily;
      field.clientWidth - context.measureText(field.placeholder).width;
    }`);
    expect(spareWidth).toBeGreaterThanOrEqual(0);
    await panel.getByText('Query', { exact: true }).click();
    await panel.getByText('Data that can be queried.', { exact: false }).waitFor();
    await panel.getByText('The device with this serial number', { exact: false }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('preserves its tabs and their contents over a reload, under its own keys', async () => {
    await run('Nearby');
    await until(async () => (await stored('tabState'))?.includes('"activeTabIndex":3') ?? false);
    await page.reload();
    await editorIsFilled();
    expect(await tabNames()).toEqual(['Fleet', 'SitePage', 'Chart', 'Nearby', 'Live']);
    expect(await selectedTab()).toBe('Nearby');
    expect((await run('Nearby')).errors).toBeUndefined();
    const keys = await page.evaluate<string[]>('Object.keys(localStorage)');
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !key.startsWith('fieldgraph:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  /** Findings of axe-core that block users, with the elements. */
  async function listFindings(): Promise<string[]> {
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
    return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
  }

  it('draws Chart as a chart, at 1,400 and 400 pixels, in light and dark, without serious findings of axe', async () => {
    await run('Chart');
    await page.getByRole('img', { name: /^Chart: .+ series$/ }).waitFor();
    await page.getByRole('img', { name: /^Chart: .+ aggregates · avg$/ }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The editor reads the colour scheme when it starts.
      if (colorScheme === 'dark') {
        await page.reload();
        await editorIsFilled();
        await untilQuiet();
        await run('Chart');
        await page
          .getByRole('img', { name: /^Chart: / })
          .first()
          .waitFor();
      }
      for (const width of [1400, 400]) {
        await page.setViewportSize({ width, height: 900 });
        const right = `Math.max(...[...document.querySelectorAll('.fieldgraph-chart svg')].map((svg) => svg.getBoundingClientRect().right))`;
        await expect.poll(() => page.evaluate(right)).toBeLessThanOrEqual(width);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(await listFindings(), `${width} pixels, ${colorScheme}`).toEqual([]);
      }
      await page.setViewportSize({ width: 1400, height: 900 });
    }
    expect(complaints).toEqual([]);
  });

  it('draws the sites of Fleet on a map, and explains its REST calls at the switch', async () => {
    await page.getByLabel('Explain REST calls').check();
    const { data } = await run('Fleet');
    expect(data).toBeDefined();
    await page
      .getByRole('region', { name: 'Explain' })
      .getByText('REST calls made', { exact: false })
      .waitFor();
    await page.getByRole('region', { name: 'Explain' }).getByText('of 100,000', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await page.getByRole('img', { name: /^Map of \d+ places$/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the pictures of image samples, opened by a link that another visitor shared', async () => {
    const [image] = gateway.sql<{ id: number }>(
      'SELECT stream_id AS id FROM image_sample JOIN stream s ON s.id = stream_id WHERE account_id = ? LIMIT 1',
      gateway.accountId,
    );
    const query = `query Pictures($id: ID!) { stream(id: $id) { images(since: "2000-01-01T00:00:00Z", first: 3) { nodes { url sampledAt } } } }`;
    const variables = JSON.stringify({ id: String(required(image, 'image').id) });
    await page.goto(`${gateway.url}/#operation=${encodeURIComponent(JSON.stringify([query, variables]))}`);
    await editorIsFilled();
    await until(async () => (await selectedTab()) === 'Pictures');
    await page.getByRole('button', { name: /Execute query/ }).click();
    const picture = page.getByRole('img', { name: /^Sample of / }).first();
    await picture.waitFor();
    await until(() =>
      picture.evaluate((element) => 'naturalWidth' in element && Number(element.naturalWidth) > 0),
    );
    // The pictures are the platform's.
    const { origin } = new URL(gateway.sandbox.url);
    expect(complaints.filter((line) => !line.startsWith(`elsewhere: ${origin}/images/`))).toEqual([]);
  });

  it('renews the dates of variables on the next visit', async () => {
    await run('Chart');
    await until(async () => (await stored('variables'))?.includes('"from"') ?? false);
    const before = JSON.parse((await stored('variables')) ?? '') as { from: string };
    await setPageTime(page, runningClock.now() + 3_600_000);
    await page.reload();
    await editorIsFilled();
    const after = JSON.parse((await stored('variables')) ?? '') as { from: string };
    const passedMs = Date.parse(after.from) - Date.parse(before.from);
    expect(passedMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it.each([
    [
      'is full',
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    ],
    [
      'is broken',
      "for (const key of ['filled', 'graphiql:tabState', 'graphiql:queries']) localStorage.setItem('fieldgraph:' + key, '{bad');",
    ],
  ])('opens where local storage %s', async (_, script) => {
    await page.addInitScript(script);
    await page.reload();
    await editorIsFilled();
    expect(await tabNames()).toEqual(['Fleet', 'SitePage', 'Chart', 'Nearby', 'Live']);
    expect((await run('Fleet')).errors).toBeUndefined();
    expect(complaints).toEqual([]);
  });
});
