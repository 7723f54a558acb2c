/** Finds the Chromium of this machine, if it has one, and starts it without a window. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The value of the variable CHROMIUM, or the first Chromium on the PATH; undefined without one. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const directories = (process.env['PATH'] ?? '').split(path.delimiter);
  return directories
    .flatMap((directory) => names.map((name) => path.join(directory, name)))
    .find((file) => isExecutable(file));
}

/** Without features that contact other hosts. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
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
