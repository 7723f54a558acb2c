/** The explorer for visitors with a keyboard, a screen reader, forced colours or much zoom, in Chromium. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import { chromiumNote, isWithoutChromium, launchChromium } from '../support/http/chromium.js';
import { openExplorer } from '../support/http/explorerPage.js';
import { WAIT } from '../support/waiting.js';

const times = [0, 3_600_000, 7_200_000];
/** Two lines with a legend; the name of the second is Hebrew. */
const LINES = {
  times,
  lines: [
    { stream: { name: 'Inlet' }, values: [1, 2, 3] },
    { stream: { name: 'מד לחץ' }, values: [-1, -2, -3] },
  ],
};

/** The contrast of two colours by WCAG, each as the browser computes it. */
const CONTRAST = `(one, other) => {
  const context = document.createElement('canvas').getContext('2d');
  const luminance = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data]
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}`;

describe.skipIf(isWithoutChromium)(`access to the explorer${chromiumNote}`, () => {
  let gateway: TestGateway;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startTestGateway({ sandbox: { siteCount: 3 } });
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  /** Opens the explorer, and runs an operation with the response. */
  async function show(response: object, width = 1400, scheme: 'light' | 'dark' = 'light') {
    const linked = { query: 'query Given { __typename }' };
    const opened = await openExplorer(browser, gateway.url, width, scheme, linked);
    await opened.page.route('**/graphql', (route) =>
      (route.request().postData() ?? '').includes('query Given')
        ? route.fulfill({ json: response })
        : route.continue(),
    );
    await opened.page.getByRole('button', { name: /Execute query/ }).click();
    await opened.page.getByRole('region', { name: 'Response' }).getByRole('button').first().waitFor();
    return opened;
  }

  const background = (page: Page, selector: string, pseudo = '') =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('${selector}'), '${pseudo}').backgroundColor`,
    );

  it('shows states, lines and Run in forced colours, and outlines the field of the credential visibly', async () => {
    const { page } = await show({ data: { shared: LINES } });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme });
      const canvas = await background(page, 'body');
      const pressed = await background(page, '.fieldgraph-view-names [aria-pressed="true"]');
      expect(pressed).not.toBe(await background(page, '.fieldgraph-view-names [aria-pressed="false"]'));
      const current = await background(page, '.graphiql-tabs [aria-current="true"]');
      expect(current).not.toBe(await background(page, '.graphiql-tabs [aria-current="false"]'));
      const keys = [1, 2].map((key) =>
        background(page, `.fieldgraph-legend li:nth-child(${key})`, '::before'),
      );
      const colors = new Set(await Promise.all([...keys, background(page, '.graphiql-execute-button')]));
      expect(colors.size).toBe(3);
      expect(colors).not.toContain(canvas);
      await page.emulateMedia({ forcedColors: 'none', colorScheme });
      const contrast = await page.evaluate<number>(`(${CONTRAST})(
        getComputedStyle(document.querySelector('.fieldgraph-bar input')).borderTopColor,
        getComputedStyle(document.querySelector('.fieldgraph-bar')).backgroundColor,
      )`);
      expect(contrast).toBeGreaterThan(3);
    }
  });

  const focused = (page: Page) =>
    page.evaluate<string | null>(
      '(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()',
    );

  it('keeps the focus at the response when Ctrl-Enter runs the operation again', async () => {
    const { page } = await show({ data: { shared: LINES } });
    const view = page.getByRole('button', { name: 'JSON', exact: true });
    await view.focus();
    await Promise.all([
      page.waitForResponse((response) => (response.request().postData() ?? '').includes('query Given')),
      page.keyboard.press('Control+Enter'),
    ]);
    await view.waitFor();
    expect(await focused(page)).toBe('Response');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Chart');
  });

  it('returns the focus to the button of a dialog when Escape closes the dialog', async () => {
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light');
    for (const name of ['Open settings dialog', 'Open short keys dialog']) {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await expect.poll(() => focused(page), WAIT).toContain('Close dialog');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page), WAIT).toBe(name);
    }
  });

  it('says that a series of nulls has no points', async () => {
    const { page } = await show({ data: { series: { times, values: [null, null, null] } } });
    await page.getByText('No points to draw.').waitFor();
    expect(await page.getByRole('img', { name: /^Chart: / }).count()).toBe(0);
  });

  it('shows all digits of a counter at the pointer, and names the map of a single place', async () => {
    const nodes = [{ name: 'North', location: { latitude: 48, longitude: 16 } }];
    const values = [12_345_678.25, 12_345_679.25, 12_345_680 + 1 / 3];
    const { page } = await show({ data: { counter: { times, values }, nodes } });
    const chart = page.getByRole('img', { name: /^Chart: / });
    const { width } = required(await chart.boundingBox());
    await chart.hover({ position: { x: width - 20, y: 100 } });
    await page.locator('.fieldgraph-readout').getByText('12,345,680.333', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('img', { name: 'Map of 1 place', exact: true }).waitFor();
  });

  it('announces again that a link is copied', async () => {
    const { page } = await openExplorer(browser, gateway.url, 1400, 'light');
    await page.evaluate(`{
      globalThis.announced = [];
      const output = document.querySelector('.fieldgraph-bar output');
      new MutationObserver(() => output.textContent && announced.push(output.textContent))
        .observe(output, { childList: true, characterData: true, subtree: true });
    }`);
    for (const count of [1, 2]) {
      await page.getByRole('button', { name: 'Copy link' }).click();
      await expect.poll(() => page.evaluate('announced.length'), WAIT).toBe(count);
    }
  });

  it('shows the sign of a number at its left, also after a Hebrew name', async () => {
    const { page } = await show({ data: { shared: LINES } });
    const chart = page.getByRole('img', { name: /^Chart: / });
    const { width } = required(await chart.boundingBox());
    await chart.hover({ position: { x: width - 20, y: 100 } });
    const last = page.locator('.fieldgraph-readout text').last();
    await last.waitFor();
    const positions = await page.evaluate<number[]>(`(() => {
      const text = [...document.querySelectorAll('.fieldgraph-readout text')].at(-1);
      const at = (character) => text.getStartPositionOfChar(text.textContent.indexOf(character)).x;
      return ['מ', '-', '3'].map(at);
    })()`);
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
  });

  it('counts REST calls that the timeline does not draw, below headings that do not touch, at 320 pixels', async () => {
    const call = { endpoint: '/v2.0/site', origin: 'network', status: 200, attempts: 1, bytes: 1024 };
    const calls = Array.from({ length: 203 }, () => ({ ...call, milliseconds: 1, startMilliseconds: 0 }));
    const { page } = await show({ data: {}, extensions: { explain: { calls, plans: [] } } }, 320);
    await page.getByText('3 more REST calls are not drawn.').waitFor();
    const gaps = await page.evaluate<number[]>(`(() => {
      const boxes = [...document.querySelectorAll('.fieldgraph-explain th')].slice(1).map((heading) => {
        const range = document.createRange();
        range.selectNodeContents(heading);
        return range.getBoundingClientRect();
      });
      return boxes.slice(1).map(({ left }, index) => left - boxes[index].right);
    })()`);
    expect(Math.min(...gaps)).toBeGreaterThan(1);
  });

  it('shows pictures as links if the gateway cannot be reached', async () => {
    const images = [{ url: 'https://images.example.com/1.png', sampledAt: '2026-03-01T00:00:00Z' }];
    const { page, complaints } = await show({ data: { images } });
    await page.route(`${gateway.url}/`, (route) => route.abort());
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Pictures' }).click();
    await failed;
    await page.getByRole('link', { name: 'images.example.com' }).waitFor();
    expect(complaints.filter((line) => line.startsWith('thrown'))).toEqual([]);
  });
});
