/** A sandbox in a file loses no confirmed write to a kill -9, and continues where it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'libsql';
import { afterAll, expect, it } from 'vitest';
import { createTestClock, startSandbox, tokenFor } from '../../support/sandbox/sandbox.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the built sandbox in another process, and returns its address. */
async function spawnSandbox(databaseFile: string): Promise<{ child: ChildProcess; url: string }> {
  const options = JSON.stringify({ databaseFile, siteCount: 3, historyDays: 1 });
  const script = `import { createSandbox } from './build/sandbox/sandbox.js';
    console.log((await createSandbox(${options})).url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const url of createInterface({ input: child.stdout })) return { child, url };
  throw new Error('The sandbox did not start.');
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

it('a sandbox in a file survives kill -9 during writes without losing a confirmed one', async () => {
  const file = join(folder, 'killed.db');
  const { child, url } = await spawnSandbox(file);
  const token = await tokenFor(url, 'sandbox', 'sandbox');
  let writtenValue = 0;
  const gone = ended(child);
  for (let value = 1; value <= 40; value++) {
    const body = JSON.stringify({ attributes: [{ id: 501, parent_id: 16801, value: String(value) }] });
    const init = { method: 'POST', headers: { Authorization: token }, body };
    const response = await fetch(`${url}/v2.0/site/customAttributes`, init).catch(() => undefined);
    if (response?.status !== 204) break;
    writtenValue = value;
    if (value === 25) setTimeout(() => child.kill('SIGKILL'), 3);
  }
  child.kill('SIGKILL');
  await gone;
  expect(writtenValue).toBeGreaterThanOrEqual(25);
  const reopened = await startSandbox({ databaseFile: file });
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${reopened.url}/v2.0/site/16801/customAttributes`, { headers });
  expect(response.status).toBe(200); // the token survives the restart
  const values = (await response.json()) as { id: number; value: string }[];
  // The write in flight at the kill may be stored or not.
  expect(Number(values.find(({ id }) => id === 501)?.value)).toBeGreaterThanOrEqual(writtenValue);
});

it('a sandbox in a file does not seed again, catches up for a bounded time, keeps the cursor', async () => {
  const databaseFile = join(folder, 'reopened.db');
  const clock = createTestClock();
  const common = { databaseFile, siteCount: 3, clock };
  const count = (box: Awaited<ReturnType<typeof startSandbox>>, sql: string) =>
    (box.database.prepare(`SELECT count(*) AS n FROM ${sql}`).all() as { n: number }[])[0]?.n ?? 0;

  const before = await startSandbox(common);
  const token = await tokenFor(before.url, 'sandbox', 'sandbox');
  const headers = { Authorization: token };
  await fetch(`${before.url}/v2.0/sample/batch?enableAck=false`, { headers });
  const status = await (await fetch(`${before.url}/v2.0/sample/batch/status`, { headers })).json();
  const samples = count(before, 'scalar_sample');
  await before.close();
  // After a clean stop, the file alone has all data.
  const copy = join(folder, 'copy.db');
  copyFileSync(databaseFile, copy);
  const copied = await startSandbox({ ...common, databaseFile: copy, siteCount: 9 });
  expect(count(copied, 'site WHERE account_id = 1207')).toBe(3);
  await copied.close();

  clock.advance(600_000);
  const after = await startSandbox({ ...common, siteCount: 9, seed: 7 });
  expect(count(after, 'site WHERE account_id = 1207')).toBe(3);
  const caughtUp = count(after, 'scalar_sample') - samples;
  expect(caughtUp).toBeGreaterThan(0);
  expect(caughtUp).toBeLessThan(200);
  expect(await (await fetch(`${after.url}/v2.0/sample/batch/status`, { headers })).json()).toEqual(status);
  await after.close();

  clock.advance(60 * 86_400_000);
  const muchLater = await startSandbox(common);
  expect(count(muchLater, 'scalar_sample')).toBeLessThan(4 * samples);
  const streams = 'SELECT stream_id FROM scalar_sample GROUP BY stream_id HAVING max(sample_date)';
  expect(count(muchLater, `(${streams} > ${clock.now() / 1000 - 1800})`)).toBeGreaterThan(3);
});

it('a sandbox in a file refuses a secret that changed at a restart', async () => {
  const databaseFile = join(folder, 'secret.db');
  const first = await startSandbox({ databaseFile, siteCount: 1 });
  await first.close();
  const second = await startSandbox({ databaseFile, key: 'me', secret: 's3cret:with colon' });
  expect(await tokenFor(second.url, 'sandbox', 'sandbox')).toBeUndefined();
  expect(await tokenFor(second.url, 'me', 's3cret:with colon')).toEqual(expect.any(String));
});

it('two sandboxes on one file generate each sample once', async () => {
  const databaseFile = join(folder, 'shared.db');
  const clock = createTestClock();
  const common = { databaseFile, siteCount: 3, historyDays: 1, clock };
  const one = await startSandbox(common);
  const other = await startSandbox(common);
  const count = (what: string) =>
    (one.database.prepare(`SELECT ${what} AS n FROM scalar_sample`).all() as { n: number }[])[0]?.n ?? 0;
  const before = count('count(*)');
  for (let step = 0; step < 4; step++) {
    clock.advance(900_000);
    for (const { simulator } of [one, other]) simulator.step();
  }
  expect(count('count(*)')).toBeGreaterThan(before);
  expect(count("count(*) - count(DISTINCT stream_id || ' ' || sample_date)")).toBe(0);
  await one.close();
  await other.close();
});

it("the sandbox leaves another program's database unchanged, and says whose it is", async () => {
  const databaseFile = join(folder, 'notes.db');
  const notes = new Database(databaseFile);
  notes.exec('CREATE TABLE notes (text TEXT); CREATE TABLE meta (key TEXT)');
  const tables = () => notes.prepare('SELECT name FROM sqlite_master ORDER BY name').all();
  const before = tables();
  await expect(startSandbox({ databaseFile, siteCount: 3 })).rejects.toThrow(
    'it belongs to another program.',
  );
  expect(tables()).toEqual(before);
  expect(notes.pragma('journal_mode')).toMatchObject([{ journal_mode: 'delete' }]);
  notes.close();
});
