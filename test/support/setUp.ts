/** Runs before each test file: sets the seed of random tests, and shifts the clock on request. */
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, expect } from 'vitest';
import { cleanUpFile, cleanUpTest } from './cleanUp.js';
import { instantOf } from './clocks/clockInstants.js';
import { restartRunningClock } from './runningClock.js';
import { TEST_SEED } from './seed.js';

const file = path.relative(process.cwd(), expect.getState().testPath ?? '');
const instant = instantOf(file, process.env);

if (instant) {
  process.env['TZ'] = instant.zone;
  process.env['TEST_START'] = instant.at;
  const preload = new URL('clocks/clockShift.js', import.meta.url).href;
  await import(preload);
  // Relative to the machine's clock, which the shift of an earlier file in this process hides.
  process.env['TEST_CLOCK_SHIFT_MS'] = '0';
  process.env['TEST_CLOCK_SHIFT_MS'] = String(Date.parse(instant.at) - Date.now());
  // Child processes start with the same shift.
  const options = process.env['NODE_OPTIONS'] ?? '';
  if (!options.includes(preload)) process.env['NODE_OPTIONS'] = `${options} --import ${preload}`.trim();
}
restartRunningClock();

fc.configureGlobal({ seed: TEST_SEED });

afterEach(cleanUpTest);
afterAll(cleanUpFile);

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  const clock = instant ? ` TEST_CLOCK=${instant.at}@${instant.zone}` : '';
  process.stderr.write(`To repeat: TEST_SEED=${TEST_SEED}${clock} npx vitest run ${file}\n`);
});
