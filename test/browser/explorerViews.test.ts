/**
 * Every view of the explorer in Chromium, at 1,400 and 400 pixels, in light and dark: no serious findings of axe, nothing
 * wider than the window, no console messages. With `PICTURES=folder` it writes screenshots.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import { createKeysFile } from '../support/http/callers.js';
import { chromiumNote, isWithoutChromium, launchChromium } from '../support/http/chromium.js';
import { checkPage, openExplorer, openTab, toLink } from '../support/http/explorerPage.js';
import { runningClock } from '../support/runningClock.js';
import { WAIT } from '../support/waiting.js';

/** More than the cost limit, by samples of all streams. */
const COSTLY =
  'query Costly { sites(first: 1000) { nodes { name streams { name samples(first: 1000) { nodes { value } } } } } }';
const CHART = `query Chart($id: ID!, $from: DateTime!, $to: DateTime!) { stream(id: $id) { name units
  series(range: { from: $from, to: $to }, maxPoints: 200, method: MEAN) { times values min max } } }`;
const PLACES = 'query Places { sites(first: 100) { nodes { name location { latitude longitude } } } }';
const PICTURES = `query Pictures($id: ID!) { stream(id: $id) {
  images(since: "2000-01-01T00:00:00Z", first: 3) { nodes { url sampledAt } } } }`;
/** A name that cannot be wrapped at a space, in a chart and at a place. */
const LONG = 'Unbreakable_'.repeat(30);
const LONG_NAMES = {
  s: { name: LONG, units: 'm³/h', series: { times: [1, 2, 3], values: [1, 2, 3] } },
  nodes: [
    { name: LONG, location: { latitude: 48, longitude: 16 } },
    { name: LONG, location: { latitude: 48, longitude: 16.0001 } },
  ],
};
const EVENTS = `subscription Events { sampleReceived(kinds: [SCALAR]) { sampledAt stream { name }
  ... on ScalarSample { value } } }`;

interface View {
  name: string;
  query: string;
  variables?: () => object;
  isExplained?: boolean;
  /** Waits until the view is complete. */
  shown(page: Page): Promise<unknown>;
}

describe.skipIf(isWithoutChromium)(`views of the explorer${chromiumNote}`, () => {
  let gateway: TestGateway;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startTestGateway({ sandbox: { siteCount: 20 } });
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  const idOf = (kind: 'scalar' | 'image') =>
    required(
      gateway.sql<{ id: number }>(
        `SELECT stream_id AS id FROM ${kind}_sample JOIN stream s ON s.id = stream_id WHERE account_id = ? LIMIT 1`,
        gateway.accountId,
      )[0],
    ).id;
  const text = (page: Page, part: string) =>
    page.locator('.graphiql-response').filter({ hasText: part }).waitFor();

  const views: View[] = [
    {
      name: 'chart',
      query: CHART,
      variables: () => ({
        id: String(idOf('scalar')),
        from: new Date(runningClock.now() - 86_400_000).toISOString(),
        to: new Date(runningClock.now()).toISOString(),
      }),
      shown: (page) => page.getByRole('img', { name: /^Chart: / }).waitFor(),
    },
    {
      name: 'map',
      query: PLACES,
      shown: (page) => page.getByRole('img', { name: /^Map of \d+ places$/ }).waitFor(),
    },
    {
      name: 'pictures',
      query: PICTURES,
      variables: () => ({ id: String(idOf('image')) }),
      shown: (page) =>
        page
          .getByRole('img', { name: /^Sample of / })
          .first()
          .waitFor(),
    },
    {
      name: 'events',
      query: EVENTS,
      async shown(page) {
        const first = page.locator('.fieldgraph-events li').first();
        const arrives = () => {
          appendSample(gateway);
          return first.isVisible();
        };
        await expect.poll(arrives, WAIT).toBe(true);
        await page.getByRole('button', { name: /Stop query/ }).click();
      },
    },
    {
      name: 'explain',
      query:
        'query Explained { streams(first: 3) { nodes { name lastSample { value } threshold { levels { name } } } } }',
      isExplained: true,
      shown: (page) => page.getByText('REST calls made', { exact: false }).waitFor(),
    },
    { name: 'too-costly', query: COSTLY, shown: (page) => text(page, 'COST_TOO_HIGH') },
    {
      name: 'empty',
      query: 'query Empty { sites(filter: { nameContains: "no such" }) { nodes { name } } }',
      shown: (page) => text(page, 'nodes'),
    },
  ];

  it.each([
    [1400, 'light'],
    [400, 'dark'],
  ] as const)('are accessible and fit at %i pixels, %s', async (width, scheme) => {
    const { page, complaints } = await openExplorer(browser, gateway.url, width, scheme);
    for (const { name, query, variables, isExplained = false, shown } of views) {
      await openOperation(page, gateway.url, query, variables?.() ?? {}, isExplained);
      await page.getByRole('button', { name: /Execute query/ }).click();
      await shown(page);
      await checkPage(page, width, `explorer-${name}-${width}-${scheme}`);
      if (name !== 'chart') continue;
      await page.getByRole('button', { name: 'JSON', exact: true }).click();
      await page.locator('.result-window .view-line', { hasText: '"times"' }).waitFor();
      await checkPage(page, width, `explorer-json-${width}-${scheme}`);
    }
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const documentation = page.locator('.graphiql-doc-explorer');
    await checkPage(page, width, `explorer-documentation-${width}-${scheme}`);
    await documentation.getByText('Query', { exact: true }).click();
    await documentation.getByText('Data that can be queried.', { exact: false }).waitFor();
    await checkPage(page, width, `explorer-type-${width}-${scheme}`);
    const origin = new URL(gateway.sandbox.url).origin;
    expect(complaints.filter((line) => !line.includes(`${origin}/images/`))).toEqual([]);
  });

  it('names the most expensive fields of an operation that costs too much', async () => {
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light', { query: COSTLY });
    await page.getByRole('button', { name: /Execute query/ }).click();
    const list = page.getByRole('region', { name: 'Errors' });
    await list.getByText('samples', { exact: false }).first().waitFor();
  });

  it('leaves room for documentation and endpoints at 400 pixels', async () => {
    const linked = { query: PLACES, isExplained: true };
    const { page } = await openExplorer(browser, gateway.url, 400, 'light', linked);
    await page.getByRole('button', { name: /Execute query/ }).click();
    const endpoint = page.getByRole('cell', { name: '/v2.0/site', exact: true });
    await endpoint.waitFor();
    expect(required(await endpoint.boundingBox()).width).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('.graphiql-doc-explorer').getByText('Query', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    const editor = page.locator('.graphiql-query-editor');
    await expect.poll(async () => (await editor.boundingBox())?.width, WAIT).toBeGreaterThan(300);
  });

  it('shows its settings whole at 360 pixels', async () => {
    const { page } = await openExplorer(browser, gateway.url, 360, 'light');
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    const dialog = page.getByRole('dialog');
    const end = async (part: Locator) => {
      const { x, width } = required(await part.boundingBox());
      return x + width;
    };
    const last = dialog.getByRole('button', { name: 'Dark' });
    await expect.poll(async () => (await end(dialog)) - (await end(last)), WAIT).toBeGreaterThan(0);
  });

  it('shows the open tab at 400 pixels, also a new one', async () => {
    const { page } = await openExplorer(browser, gateway.url, 400, 'light');
    await page.getByRole('button', { name: 'New tab' }).click();
    const active = page.locator('.graphiql-tab-active');
    await active.getByText('<untitled>').waitFor();
    const end = async () => {
      const { x, width } = required(await active.boundingBox());
      return x + width;
    };
    await expect.poll(end, WAIT).toBeLessThanOrEqual(400);
  });

  it('draws long names at all widths, each place once, and keeps the editor', async () => {
    for (const width of [1400, 400]) {
      const { page, complaints } = await showData(LONG_NAMES, width);
      await page.getByRole('img', { name: /^Chart: / }).waitFor();
      await page.getByRole('button', { name: 'Map' }).click();
      await page.getByRole('img', { name: 'Map of 2 places' }).waitFor();
      expect(await page.locator('.fieldgraph-place').count()).toBe(2);
      await page.locator('.graphiql-query-editor .view-line').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(complaints).toEqual([]);
    }
  });

  /** Opens the explorer, and runs an operation whose response has the data. */
  async function showData(data: object, width: number) {
    const linked = { query: 'query Given { __typename }' };
    const opened = await openExplorer(browser, gateway.url, width, 'light', linked);
    const { page } = opened;
    await page.route('**/graphql', (route) =>
      (route.request().postData() ?? '').includes('query Given')
        ? route.fulfill({ json: { data } })
        : route.continue(),
    );
    await page.getByRole('button', { name: /Execute query/ }).click();
    return opened;
  }

  it('tells how many lines and charts are not drawn', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => ({ values: [index, index + 1] }));
    const one = { times: [1, 2], values: [1, 2] };
    const rest = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, one]));
    const { page } = await showData({ all: { times: [1, 2], lines }, ...rest }, 400);
    await page.getByText('4 more lines are not drawn.').waitFor();
    await page.getByText('1 more chart is not drawn.').waitFor();
    expect(await page.getByRole('img', { name: /^Chart: / }).count()).toBe(12);
    expect(await page.locator('.fieldgraph-line').count()).toBe(8 + 11);
    await checkPage(page, 400, 'explorer-rest-400-light');
  });

  it('tells how many pictures and places it does not draw, and counts repeated ones once', async () => {
    const sampledAt = '2026-03-01T00:00:00Z';
    const images = Array.from({ length: 100 }, (_, index) => ({
      url: `https://images.example.com/${index}.png`,
      sampledAt,
    }));
    const locations = Array.from({ length: 1002 }, (_, index) => ({ latitude: 48, longitude: index / 100 }));
    const sites = locations.map((location) => ({ name: 'North', location }));
    const streams = Array.from({ length: 1000 }, () => ({ site: sites[0] }));
    const { page } = await showData({ images, again: images, streams, sites }, 400);
    await page.getByText('2 more places are not drawn.').waitFor();
    await page.getByRole('img', { name: 'Map of 1000 places' }).waitFor();
    await page.getByRole('button', { name: 'Pictures' }).click();
    await page.getByText('40 more pictures are not drawn.').waitFor();
    expect(
      await page
        .getByRole('listitem')
        .filter({ has: page.locator('time') })
        .count(),
    ).toBe(60);
  });

  it('shows the values of all lines at the pointer, with their names and bands, inside the chart', async () => {
    const noonMs = Date.UTC(2026, 5, 15, 12);
    const times = [noonMs, noonMs + 3_600_000, noonMs + 7_200_000];
    // Some time zones differ from UTC by half an hour or 45 minutes.
    const minutes = String(new Date(noonMs).getMinutes()).padStart(2, '0');
    const line = (name: string, add: number) => ({
      stream: { name, units: 'bar' },
      values: times.map((_, index) => index + add),
      min: times.map(() => -1.5),
      max: times.map(() => 12.25),
    });
    const lines = [line('Inlet pressure of a station with a very long name', 0), line('Outlet', 10)];
    for (const width of [1400, 400]) {
      const { page } = await showData({ shared: { times, lines } }, width);
      const chart = page.getByRole('img', { name: /^Chart: / });
      const box = required(await chart.boundingBox());
      expect(await page.locator('.fieldgraph-readout').count()).toBe(0);
      await chart.hover({ position: { x: box.width - 20, y: 100 } });
      const texts = page.locator('.fieldgraph-readout text');
      await texts.first().waitFor();
      expect(await texts.allTextContents()).toEqual([
        expect.stringMatching(new RegExp(`2026.*:${minutes}:00`)),
        expect.stringMatching(/^Inlet.*: 2 \(-1\.5 to 12\.25\)$/),
        expect.stringMatching(/^Outlet.*: 12 \(-1\.5 to 12\.25\)$/),
      ]);
      const shown = required(await page.locator('.fieldgraph-readout rect').boundingBox());
      expect(shown.x).toBeGreaterThanOrEqual(box.x);
      expect(shown.x + shown.width).toBeLessThanOrEqual(box.x + box.width);
      if (process.env['PICTURES'])
        await chart.screenshot({ path: `${process.env['PICTURES']}/readout-${width}.png` });
      await page.mouse.move(box.x, box.y - 20);
      await texts.first().waitFor({ state: 'detached' });
    }
  });

  it('draws a value without neighbours as a dot', async () => {
    const gaps = {
      times: [1, 2, 3, 4, 5, 6].map((hour) => hour * 3_600_000),
      values: [1, 2, null, 4, null, 3],
    };
    const { page } = await showData({ gaps, one: { times: [0], values: [7] } }, 1400);
    const charts = page.getByRole('img', { name: /^Chart: / });
    await charts.nth(1).waitFor();
    const dots = (index: number) =>
      charts
        .nth(index)
        .locator('circle')
        .evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
          all.map((dot) => Number(dot.getAttribute('cx'))),
        );
    expect(await dots(0)).toHaveLength(2);
    const [middle] = await dots(1);
    expect(required(middle)).toBeGreaterThan(200);
  });

  it('keeps the labels of tiny and huge values and of places inside the drawing', async () => {
    const series = (size: number) => ({
      name: `Size ${size}`,
      series: {
        times: [0, 3_600_000, 7_200_000],
        values: [1, 3, 2].map((value) => 1000 * size + value * size * 1e-5),
      },
    });
    const nodes = [0, 0.5, 0.6, 10].map((longitude) => ({
      name: `Place at ${longitude}`,
      location: { latitude: 48, longitude },
    }));
    const { page } = await showData({ all: [1e-9, 1, 1e15].map(series), nodes }, 400);
    const overflow = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('.fieldgraph-chart svg')].flatMap((svg) => {
        const { left, right } = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('text')]
          .filter((text) => text.getBoundingClientRect().left < left || text.getBoundingClientRect().right > right)
          .map((text) => text.textContent);
      })`);
    await page
      .getByRole('img', { name: /^Chart: / })
      .nth(2)
      .waitFor();
    expect(await overflow()).toEqual([]);
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('img', { name: 'Map of 4 places' }).waitFor();
    expect(await overflow()).toEqual([]);
  });

  it('shows the errors of a failed operation first, although another view was chosen before', async () => {
    const linked = { query: 'query Users { users { totalCount } }', isExplained: true };
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light', linked);
    const run = () => page.getByRole('button', { name: /Execute query/ }).click();
    await run();
    const explain = page.getByRole('button', { name: 'Explain', exact: true });
    await explain.click();
    const error = { code: 'PLATFORM_REFUSED', retryable: false, requestId: 'r-1' };
    const errors = [{ message: 'The platform refused.', extensions: error }];
    let data: object = { users: null };
    await page.route('**/graphql', async (route) => {
      const { extensions } = await (await route.fetch()).json();
      await route.fulfill({ json: { data, errors, extensions } });
    });
    await run();
    const list = page.getByRole('region', { name: 'Errors' });
    await list.getByText('PLATFORM_REFUSED').waitFor();
    await list.getByText('Request r-1, not retryable').waitFor();
    await page.getByRole('status').getByText('Response: Errors, 1 error.').waitFor();
    await explain.click();
    await page.getByRole('region', { name: 'Explain' }).waitFor();
    // Errors besides data do not come first, but are counted.
    data = { users: { totalCount: 1 } };
    await run();
    await page.getByRole('status').getByText('Response: Explain, 1 error.').waitFor();
    await page.getByRole('button', { name: 'Errors (1)' }).waitFor();
  });

  it('tells where an operation is wrong', async () => {
    const linked = { query: 'query Wrong {\n  sites { nodes { nme } }\n}' };
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light', linked);
    await page.getByRole('button', { name: /Execute query/ }).click();
    const list = page.getByRole('region', { name: 'Errors' });
    await list.getByText('line 2, column 19').waitFor();
  });

  it('tells in words why a subscription failed, without counting it as an event', async () => {
    const linked = { query: 'subscription Refused { sampleReceived(streamIds: ["Site:1"]) { id } }' };
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light', linked);
    await page.getByRole('button', { name: /Execute query/ }).click();
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByText('0 received').waitFor();
    expect(await events.locator('.fieldgraph-errors b').allTextContents()).toEqual(['BAD_USER_INPUT']);
    expect(await events.getByText('errors.0', { exact: false }).count()).toBe(0);
  });

  describe('with API keys', () => {
    let guarded: TestGateway;
    let key: string;
    let restrictedKey: string;

    beforeAll(async () => {
      const keys = await createKeysFile();
      key = await keys.add({ name: 'reader' });
      restrictedKey = await keys.add({ name: 'restricted', organizations: [1] });
      guarded = await startTestGateway({ gateway: { callerAuth: { kind: 'api-key', file: keys.file } } });
    });

    /** The editors have empty alerts of their own. */
    const alert = (page: Page) =>
      page.locator('.fieldgraph-bar [role="alert"]', { hasText: 'This gateway needs a valid credential.' });

    const type = async (page: Page, credential: string) => {
      await page.getByLabel('Credential').fill(credential);
      await page.getByRole('button', { name: 'Apply' }).click();
    };

    it('requests a credential, and refuses a wrong one, at both widths and in both schemes', async () => {
      for (const [width, scheme] of [
        [1400, 'light'],
        [400, 'dark'],
      ] as const) {
        const { page } = await openExplorer(browser, guarded.url, width, scheme);
        await alert(page).waitFor();
        await type(page, 'fg_wrong');
        await alert(page).waitFor();
        await checkPage(page, width, `explorer-refused-${width}-${scheme}`);
        await openTab(page, 'Live');
        await page.getByRole('button', { name: /Execute query/ }).click();
        const refusal = page.getByRole('region', { name: 'Events' }).locator('.fieldgraph-errors');
        await refusal.getByText('The API key is not valid.').waitFor();
        expect(await refusal.locator('b').textContent()).toBe('UNAUTHENTICATED');
      }
    });

    it('loads schema and examples after it, sends it from every tab, and stores it only for the session', async () => {
      const { page } = await openExplorer(browser, guarded.url, 1400, 'light');
      await alert(page).waitFor();
      const schemaLoaded = page.waitForResponse(
        (response) => (response.request().postData() ?? '').includes('__schema') && response.status() === 200,
      );
      await type(page, key);
      await schemaLoaded;
      await alert(page).waitFor({ state: 'detached' });
      await page.getByText('Credential applied.').waitFor();
      for (const name of ['Fleet', 'Chart']) {
        await openTab(page, name);
        const [result] = await Promise.all([
          page.waitForResponse((response) => (response.request().postData() ?? '').includes(`query ${name}`)),
          page.getByRole('button', { name: /Execute query/ }).click(),
        ]);
        expect(result.status(), name).toBe(200);
        expect(result.request().headers()['authorization']).toBe(`Bearer ${key}`);
        expect(await result.text()).not.toContain('Stream:1"');
      }
      expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(key);
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain(key);
      // GraphiQL stores its tabs a moment after a change.
      const tabs = () => page.evaluate<string>("localStorage.getItem('fieldgraph:graphiql:tabState')");
      await expect.poll(tabs, WAIT).toContain('"activeTabIndex":2');
      await page.reload();
      await page.locator('.graphiql-query-editor .view-line').first().waitFor();
      expect(await alert(page).count()).toBe(0);
      // Without a clipboard, the address has the link.
      await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      const link = page.getByRole('button', { name: 'Copy link' });
      await link.click();
      await expect.poll(() => page.url(), WAIT).toContain('#operation=');
      expect(decodeURIComponent(page.url())).toContain('query Chart');
      expect(page.url()).not.toContain(key);
      // The command is shown instead.
      const shown = page.waitForEvent('dialog');
      const clicked = page.getByRole('button', { name: 'Copy as curl' }).click();
      const dialog = await shown;
      expect(dialog.defaultValue()).toContain('-H "authorization: Bearer $CREDENTIAL"');
      expect(dialog.defaultValue()).not.toContain(key);
      await dialog.accept();
      await clicked;
      // A credential counts as soon as it is typed, and one for some organizations gets no explanation.
      await page.getByLabel('Credential').fill(restrictedKey);
      const [request] = await Promise.all([
        page.waitForRequest((one) => (one.postData() ?? '').includes('query Chart')),
        page.getByRole('button', { name: /Execute query/ }).click(),
      ]);
      expect(request.headers()['authorization']).toBe(`Bearer ${restrictedKey}`);
      await page.getByText('Sent with the new credential.').waitFor();
      await page.getByLabel('Explain REST calls').check();
      await page.getByRole('button', { name: /Execute query/ }).click();
      await page.getByText('No explanation: the gateway gives none').waitFor();
    });
  });
});

/** Follows a link in an open explorer. */
async function openOperation(
  page: Page,
  url: string,
  query: string,
  variables: object,
  isExplained: boolean,
) {
  await page.evaluate(`sessionStorage.setItem('fieldgraph:explain', '${isExplained ? 'on' : ''}')`);
  // The page loads again for a link in its address.
  await Promise.all([
    page.waitForResponse((response) => (response.request().postData() ?? '').includes('__schema')),
    page.goto(toLink(url, { query, variables })),
  ]);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
}

let appended = 0;

function appendSample({ sandbox, accountId, sql }: TestGateway): void {
  const [row] = sql<{ id: number; streamId: number }>(
    `SELECT max(scalar_sample.id) AS id, (SELECT id FROM stream WHERE account_id = ? LIMIT 1) AS streamId
     FROM scalar_sample`,
    accountId,
  );
  const { id, streamId } = required(row);
  const insert = sandbox.database.prepare('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)');
  insert.run([id + 1, streamId, Math.floor(runningClock.now() / 1000), 1000 + appended++]);
}
