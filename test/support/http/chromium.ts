/** Finds the Chromium of this machine, if it has one, starts it without a window, and sets the time of its pages. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { expect, vi } from 'vitest';
import { WAIT } from '../waiting.js';

/** The shell without windows takes two thirds of the CPU time. */
const names = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The value of the variable CHROMIUM, or the first Chromium on the PATH; undefined without one. */
function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const directories = (process.env['PATH'] ?? '').split(path.delimiter);
  return directories
    .flatMap((directory) => names.map((name) => path.join(directory, name)))
    .find((file) => isExecutable(file));
}

const executablePath = findChromium();

/** Whether tests that need Chromium are skipped. */
export const isWithoutChromium = executablePath === undefined;

/** The end of the titles of these tests. */
export const chromiumNote = isWithoutChromium
  ? ' (skipped: no Chromium on the path or in the variable CHROMIUM)'
  : '';

/** Without features that contact other hosts. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/**
 * Sets the time of pages that are opened or loaded from now on; it runs on from there. Playwright's own clock compares the
 * page's time with `Date.now()` of this process, which differs where tests run under a shifted clock.
 */
export async function setPageTime(pages: BrowserContext | Page, nowMs: number): Promise<void> {
  const shiftMs = nowMs - (performance.timeOrigin + performance.now());
  await pages.addInitScript(`{
    const SystemDate = (globalThis.SystemDate ??= Date);
    const now = () => SystemDate.now() + ${Math.round(shiftMs)};
    globalThis.Date = class Date extends SystemDate {
      constructor(...parts) {
        if (parts.length === 0) super(now());
        else super(...parts);
      }
      static now() {
        return now();
      }
    };
  }`);
}

const QUIET_MS = 500;

/**
 * Returns a function that waits until the page has requested and received nothing for half a second. Playwright's
 * `networkidle` can wait for ever: where the page ends a worker while its script is loading, the request has no end. Such
 * scripts are therefore not waited for.
 */
export function watchNetwork(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  let changedAtMs = performance.now();
  const change = (isPending: boolean) => (request: Request) => {
    changedAtMs = performance.now();
    if (isPending && !request.url().includes('.worker-')) pending.add(request);
    else pending.delete(request);
  };
  page.on('request', change(true));
  page.on('requestfinished', change(false));
  page.on('requestfailed', change(false));
  return () =>
    vi.waitFor(() => {
      expect([...pending].map((request) => request.url())).toEqual([]);
      expect(performance.now() - changedAtMs).toBeGreaterThan(QUIET_MS);
    }, WAIT);
}
