/** The explorer for visitors with a keyboard, a screen reader, forced colours or much zoom, in Chromium. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
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

  it.each(['light', 'dark'] as const)('shows states, lines and Run in forced colours, %s', async (scheme) => {
    const { page } = await show({ data: { shared: LINES } }, 1400, scheme);
    await page.emulateMedia({ forcedColors: 'active', colorScheme: scheme });
    const canvas = await background(page, 'body');
    const pressed = await background(page, '.fieldgraph-view-names [aria-pressed="true"]');
    expect(pressed).not.toBe(await background(page, '.fieldgraph-view-names [aria-pressed="false"]'));
    const current = await background(page, '.graphiql-tabs [aria-current="true"]');
    expect(current).not.toBe(await background(page, '.graphiql-tabs [aria-current="false"]'));
    const keys = [1, 2].map((key) => background(page, `.fieldgraph-legend li:nth-child(${key})`, '::before'));
    const colors = new Set(await Promise.all([...keys, background(page, '.graphiql-execute-button')]));
    expect(colors.size).toBe(3);
    expect(colors).not.toContain(canvas);
  });

  it.each(['light', 'dark'] as const)('outlines the field of the credential visibly, %s', async (scheme) => {
    const { page } = await openExplorer(browser, gateway.url, 1400, scheme);
    const contrast = await page.evaluate<number>(`(${CONTRAST})(
      getComputedStyle(document.querySelector('.fieldgraph-bar input')).borderTopColor,
      getComputedStyle(document.querySelector('.fieldgraph-bar')).backgroundColor,
    )`);
    expect(contrast).toBeGreaterThan(3);
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

  it.each(['Open settings dialog', 'Open short keys dialog'])(
    'returns the focus to "%s" when Escape closes the dialog',
    async (name) => {
      const { page } = await openExplorer(browser, gateway.url, 1400, 'light');
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await expect.poll(() => focused(page), WAIT).toContain('Close dialog');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page), WAIT).toBe(name);
    },
  );
});
