/** A large sandbox that is being seeded prints its progress, and a signal ends it at once. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../support/sandbox/sandbox.js';
import { start } from './startedProcess.js';

async function untilPrinted(app: ReturnType<typeof start>, text: string): Promise<void> {
  while (!app.stderr.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A process that reads the signal only after it has seeded first prints all lines of its progress. */
function expectUnfinished({ stderr }: ReturnType<typeof start>): void {
  const shares = [...stderr.matchAll(/(\d+)% of the samples/g)].map(([, share]) => Number(share));
  expect(Math.max(...shares)).toBeLessThan(60);
  expect(stderr).not.toMatch(/Sandbox seeded|creating indexes/);
}

it.each([
  ['the sandbox alone', ['sandbox']],
  ['the sandbox inside a gateway', []],
])('%s ends at once on SIGTERM while it is seeded', async (_name, args) => {
  const app = start(args, { SANDBOX_SITES: '2000', LOG_LEVEL: 'info' });
  await untilPrinted(app, 'Seeding the sandbox');
  app.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  expect(app.stdout).toBe('');
  expectUnfinished(app);
});

it('an interrupted seeding leaves a file that the next start seeds again', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldgraph-'));
  const databaseFile = path.join(folder, 'sandbox.db');
  const app = start(['sandbox'], { SANDBOX_SITES: '2000', SANDBOX_DB: databaseFile, LOG_LEVEL: 'info' });
  await untilPrinted(app, 'of the samples');
  app.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  expectUnfinished(app);
  expect(existsSync(databaseFile)).toBe(true);
  const sandbox = await startSandbox({ databaseFile, siteCount: 2 });
  const sites = sandbox.database.prepare('SELECT id FROM site WHERE account_id = 1207').all();
  expect(sites).toHaveLength(2);
  await sandbox.close();
  await rm(folder, { recursive: true });
});
