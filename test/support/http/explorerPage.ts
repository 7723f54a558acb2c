/** The explorer in Chromium: opens it, and checks how it looks. With `PICTURES=folder` checks write screenshots. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { runningClock } from '../runningClock.js';
import { WAIT, WAIT_MS } from '../waiting.js';
import { setPageTime, watchNetwork } from './chromium.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = process.env['PICTURES'];

/** An operation that is opened as another visitor's link does. */
interface LinkedOperation {
  query: string;
  variables?: object;
  /** Whether the switch for explanations is on, as it was left in this window. */
  isExplained?: boolean;
}

export function toLink(url: string, { query, variables = {} }: LinkedOperation): string {
  return `${url}/#operation=${encodeURIComponent(JSON.stringify([query, JSON.stringify(variables)]))}`;
}

/**
 * Opens the explorer in a context of its own, which is closed after the test; with an operation, at the link to it.
 * `complaints` are the messages of the console and uncaught errors. `untilQuiet` waits for the end of what the page loads.
 */
export async function openExplorer(
  browser: Browser,
  url: string,
  width: number,
  colorScheme: 'light' | 'dark',
  linked?: LinkedOperation,
) {
  const context: BrowserContext = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  onTestFinished(() => context.close());
  await setPageTime(context, runningClock.now());
  if (linked?.isExplained) await context.addInitScript("sessionStorage.setItem('fieldgraph:explain', 'on')");
  const page = await context.newPage();
  const untilQuiet = watchNetwork(page);
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  page.on('console', (line) => {
    // A refusal is a response of the gateway, which Chromium reports as a failed resource.
    const isRefusal =
      line.text().startsWith('Failed to load resource') && line.location().url.endsWith('/graphql');
    if (['error', 'warning'].includes(line.type()) && !isRefusal) complaints.push(line.text());
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  await page.goto(linked ? toLink(url, linked) : `${url}/`);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  return { context, page, complaints, untilQuiet };
}

/** Text of the variables that the page fills in. */
const variablesOf: Readonly<Record<string, string>> = { SitePage: 'Site:', Chart: '"from"', Live: '"ids"' };

/** Opens a tab. GraphiQL reads the query and the variables from their editors a moment after it shows them. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.locator('.graphiql-tab-button').getByText(name, { exact: true }).click();
  const stored = (editor: string) =>
    page.evaluate<string | null>(`localStorage.getItem('fieldgraph:graphiql:${editor}')`);
  await expect.poll(() => stored('query'), WAIT).toContain(` ${name}`);
  const variables = variablesOf[name];
  if (variables !== undefined) await expect.poll(() => stored('variables'), WAIT).toContain(variables);
}

/** Axe's serious findings, and parts that are wider than the window. */
export async function checkPage(page: Page, width: number, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`) });
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
  // Not loaded with each page, whose start it would delay.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const findings = await page.evaluate<string[]>(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
  expect(findings, name).toEqual([]);
}
