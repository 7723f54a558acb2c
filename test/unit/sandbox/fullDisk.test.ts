/** A sandbox whose database can't grow: it logs this once, and appends samples again when there is space. */
import { expect, it, vi } from 'vitest';
import { createTestClock, startSandbox } from '../../support/sandbox/sandbox.js';
import { WAIT_MS } from '../../support/waiting.js';

const WAIT = { timeout: WAIT_MS, interval: 5 };

it('a full disk stops the simulator with one warning, until there is space', async () => {
  const lines: [level: string, message: string][] = [];
  const clock = createTestClock();
  const sandbox = await startSandbox({
    ...{ siteCount: 3, clock, simulatorIntervalMs: 5 },
    log: (message, level) => void lines.push([level, message]),
  });
  const [pages] = sandbox.database.prepare('PRAGMA page_count').all() as { page_count: number }[];
  sandbox.database.exec(`PRAGMA max_page_count = ${pages?.page_count}`);
  await vi.waitFor(() => {
    clock.advance(3_600_000);
    expect(lines.length).toBeGreaterThan(2);
  }, WAIT);
  const failed = expect.stringMatching(/^The simulator failed: .*full/);
  expect(lines.slice(0, 3)).toEqual([
    ['warn', failed],
    ['debug', failed],
    ['debug', failed],
  ]);
  sandbox.database.exec('PRAGMA max_page_count = 1000000');
  await vi.waitFor(() => expect(lines.at(-1)).toEqual(['debug', 'The simulator works again']), WAIT);
  expect(lines.filter(([level]) => level === 'warn')).toHaveLength(1);
});
