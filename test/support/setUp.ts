/** Runs before each test file: sets the seed of random tests, and shifts the clock on request. */
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect } from 'vitest';
import { instantOf } from './clocks/clockInstants.js';
import { TEST_SEED } from './seed.js';

const file = path.relative(process.cwd(), expect.getState().testPath ?? '');
const instant = instantOf(file, process.env);

if (instant) {
  process.env['TZ'] = instant.zone;
  process.env['TEST_START'] = instant.at;
  process.env['TEST_CLOCK_SHIFT_MS'] = String(Date.parse(instant.at) - Date.now());
  const preload = new URL('clocks/clockShift.js', import.meta.url).href;
  await import(preload);
  // Child processes start with the same shift.
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${preload}`.trim();
}

fc.configureGlobal({ seed: TEST_SEED });

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  const clock = instant ? ` TEST_CLOCK=${instant.at}@${instant.zone}` : '';
  process.stderr.write(`To repeat: TEST_SEED=${TEST_SEED}${clock} npx vitest run ${file}\n`);
});
