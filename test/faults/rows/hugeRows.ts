/** The row of a body that is too long. The gateway runs in its own process, so that its memory is measured alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { childEnvironment } from '../../support/clocks/childEnvironment.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { expectFailure, fetchOnce, KEY, SECRET, withFaultGateway } from '../../support/rest/faultGateway.js';
import { expectReturnTo, holdings } from './resources.js';
import type { Scenario } from './row.js';

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const skip = process.platform === 'linux' ? undefined : 'memory is read from /proc, which Linux has';

const MEGABYTE = 1024 * 1024;
const HUGE_BYTES = 200 * MEGABYTE;
const SEVEN_MINUTES = 420_000;
const MAX_GROWTH_BYTES = 150 * MEGABYTE;

/** A platform with a token endpoint and one list, which is huge on demand. */
function startHugePlatform() {
  const state = { isHuge: false, isAnnounced: false, calls: 0 };
  return startPlainServer((request, response) => {
    if (request.url === '/auth/token') return void response.end('{"access_token":"token","expires_in":3600}');
    state.calls++;
    if (!state.isHuge) return void response.end('[]');
    if (state.isAnnounced) response.setHeader('Content-Length', HUGE_BYTES);
    writeOn(response, HUGE_BYTES);
  }).then(({ url }) => ({ url, state }));
}

function writeOn(response: ServerResponse, bytesLeft: number): void {
  if (bytesLeft === 0) return void response.end();
  if (response.destroyed) return;
  const isReady = response.write(Buffer.alloc(MEGABYTE, ' '));
  const next = () => writeOn(response, bytesLeft - MEGABYTE);
  if (isReady) setImmediate(next);
  else response.once('drain', next);
}

interface OwnProcess {
  child: ChildProcess;
  url: string;
}

async function startProcess(platformUrl: string): Promise<OwnProcess> {
  const platform = { PLATFORM_URL: platformUrl, PLATFORM_KEY: KEY, PLATFORM_SECRET: SECRET };
  const child = spawn(process.execPath, [main], {
    env: { ...childEnvironment(), PORT: '0', LOG_LEVEL: 'silent', ...platform },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let startupOutput = '';
  for await (const chunk of child.stdout) {
    startupOutput += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(startupOutput)?.[0];
    if (url) return { child, url };
  }
  throw new Error(`The gateway did not start: ${startupOutput}`);
}

/** In bytes: `VmRSS` is the current size, `VmHWM` the peak. */
async function memoryOf({ pid }: ChildProcess, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
}

async function askSites(url: string) {
  const { text } = await fetchOnce({
    url: `${url}/graphql`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' },
    body: JSON.stringify({ query: '{ sites { totalCount } }' }),
  });
  return JSON.parse(text);
}

const sound = { data: { sites: { totalCount: 0 } } };

async function isHuge(isAnnounced: boolean): Promise<void> {
  const { url: platformUrl, state } = await startHugePlatform();
  const { child, url } = await startProcess(platformUrl);
  try {
    for (let call = 0; call < 20; call++) expect(await askSites(url)).toEqual(sound);
    const before = await memoryOf(child, 'VmRSS');
    Object.assign(state, { isHuge: true, isAnnounced, calls: 0 });
    expectFailure(await askSites(url), { code: 'PLATFORM_BAD_RESPONSE', retryable: false });
    expect(state.calls).toBe(1);
    state.isHuge = false;
    expect(await askSites(url)).toEqual(sound);
    expect((await memoryOf(child, 'VmHWM')) - before).toBeLessThan(MAX_GROWTH_BYTES);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function isCovered(): Promise<void> {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    const sites = await ask('{ sites { totalCount } }');
    const before = holdings();
    sandbox.faults.add({ match: '/v2.0/site', body: Buffer.alloc(HUGE_BYTES, ' ') });
    clock.skip(SEVEN_MINUTES);
    expect(await ask('{ sites { totalCount } }')).toEqual(sites);
    expect(sandbox.calls.countOf('/v2.0/site')).toBe(2);
    // The function that `add` returns would keep the body.
    sandbox.faults.clear();
    expect(await ask('{ sites { totalCount } }')).toEqual(sites);
    await expectReturnTo(before);
  });
}

export const hugeRows: readonly Scenario[] = [
  {
    fault: 'A body of 200 MB, with or without `Content-Length`',
    sees: '`PLATFORM_BAD_RESPONSE`, not retryable; the stale response if one is cached',
    calls: '1; the body is read up to 64 MB, and not at all with `Content-Length`',
    back: 'at once',
    skip,
    async run() {
      await isHuge(true);
      await isHuge(false);
      await isCovered();
    },
  },
];
