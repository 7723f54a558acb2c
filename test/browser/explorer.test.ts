/** The explorer in a real browser: its tabs run unchanged, from local files, without console messages. */
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueries } from '../../src/sandbox/database/queries.js';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import { findChromium, launchChromium } from '../support/http/chromium.js';
import { until } from '../support/http/edgeGateway.js';
import { runningClock } from '../support/runningClock.js';

const executable = findChromium();
const reason =
  executable === undefined ? ' (skipped: no Chromium on the path or in the variable CHROMIUM)' : '';

/** The tabs whose operation ends; the subscription of the last tab does not. */
const queryTabs = ['Fleet', 'SitePage', 'Chart', 'Nearby'];

interface Answer {
  data: Record<string, unknown>;
  errors?: unknown;
}

describe.skipIf(executable === undefined)(`the explorer in Chromium${reason}`, { timeout: 90_000 }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let page: Page;
  /** Problems that no visitor must see: console errors and warnings, failures, requests to other hosts. */
  let complaints: string[];

  beforeAll(async () => {
    gateway = await startTestGateway();
    browser = await launchChromium(executable ?? '');
  }, 60_000);

  afterAll(() => browser?.close());

  beforeEach(async () => {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    // The page fills its variables with dates, which must be those of the sandbox.
    await context.clock.setSystemTime(runningClock.now());
    page = await context.newPage();
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
    await page.goto(`${gateway.url}/`);
    await editorIsFilled();
    // Schema and workers: a tab opened before they are loaded is not read.
    await page.waitForLoadState('networkidle');
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

  /** GraphiQL reads an editor a moment after a change, and stores it then. */
  async function open(name: string): Promise<void> {
    if ((await selectedTab()) === name) return;
    await page.getByRole('button', { name, exact: true }).click();
    await until(async () => (await stored('query'))?.includes(`query ${name}`) ?? false);
  }

  /** Opens a tab and presses Run; returns the response from the network. */
  async function run(name: string): Promise<Answer> {
    await open(name);
    const [response] = await Promise.all([
      page.waitForResponse(isAnswerTo(name)),
      page.getByRole('button', { name: /Execute query/ }).click(),
    ]);
    return (await response.json()) as Answer;
  }

  /** Waits until the result pane shows a text; the editor writes its spaces as no-break spaces. */
  async function waitForResult(text: string): Promise<void> {
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

  it.each(queryTabs)('runs %s with the variables that the page filled in, without errors', async (name) => {
    const { data, errors } = await run(name);
    expect(errors).toBeUndefined();
    expect(Object.values(data)).not.toContain(null);
    await waitForResult('"data"');
    expect(complaints).toEqual([]);
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
});
