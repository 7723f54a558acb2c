/** The tools that run tests at other instants really shift the clock; otherwise those runs would prove nothing. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../support/clocks/childEnvironment.js';
import { CLOCK_INSTANTS, instantOf } from '../support/clocks/clockInstants.js';

const preload = fileURLToPath(new URL('../support/clocks/clockShift.js', import.meta.url));
const DAY_MS = 86_400_000;

const SCRIPT = `
  const [now, dated, texted] = [Date.now(), new Date().getTime(), Date.parse(Date())];
  const child = require('node:child_process').execFileSync(process.execPath, ['-p', 'Date.now()'], { encoding: 'utf8' });
  const { mtime } = require('node:fs').statSync('.');
  console.log(JSON.stringify({ now, dated, texted, child: Number(child), isDate: mtime instanceof Date,
    fixed: new Date(5).getTime(), utc: Date.UTC(2000, 0), isOwn: new Date().constructor === Date }));`;

describe('a process with a shifted clock', () => {
  it('shifts it everywhere, and passes the shift on to its children', async () => {
    const env = {
      ...childEnvironment(),
      TEST_CLOCK_SHIFT_MS: String(400 * DAY_MS),
      NODE_OPTIONS: `--import ${preload}`,
    };
    const earliestMs = performance.timeOrigin + performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', SCRIPT], { env });
    const latestMs = performance.timeOrigin + performance.now();
    const { now, dated, texted, child, ...rest } = JSON.parse(stdout) as Record<string, number>;
    // `Date()` has whole seconds. The monotonic clock and the wall clock may differ a little.
    for (const ms of [now, dated, texted, child]) {
      expect(ms).toBeGreaterThan(earliestMs + 400 * DAY_MS - 60_000);
      expect(ms).toBeLessThan(latestMs + 400 * DAY_MS + 60_000);
    }
    expect(rest).toEqual({ isDate: true, fixed: 5, utc: Date.UTC(2000, 0), isOwn: true });
  });
});

describe('the instant of a test file', () => {
  it('is undefined without a setting, and otherwise the given one', () => {
    expect(instantOf('a.test.ts', {})).toBeUndefined();
    const at = '2028-02-29T12:00:00Z';
    expect(instantOf('a.test.ts', { TEST_CLOCK: at })).toEqual({ at, zone: 'UTC' });
    const zone = 'Europe/Berlin';
    expect(instantOf('a.test.ts', { TEST_CLOCK: `${at}@${zone}` })).toEqual({ at, zone });
    expect(() => instantOf('a.test.ts', { TEST_CLOCK: 'noon' })).toThrow('TEST_CLOCK=noon');
    expect(() => instantOf('a.test.ts', { TEST_CLOCKS: '-1' })).toThrow('TEST_CLOCKS=-1');
  });

  it('differs by file, and takes each value of the list', () => {
    const turns = CLOCK_INSTANTS.map((_, turn) => instantOf('a.test.ts', { TEST_CLOCKS: String(turn) }));
    expect(new Set(turns)).toEqual(new Set(CLOCK_INSTANTS));
    const files = Array.from({ length: 200 }, (_, index) => `test/unit/file${index}.test.ts`);
    expect(new Set(files.map((file) => instantOf(file, { TEST_CLOCKS: '0' })))).toEqual(
      new Set(CLOCK_INSTANTS),
    );
  });
});
