/** Appends samples as time passes, going on from wherever the database says it has got to. */
import type { Clock } from '../lib/clock.js';
import { readMeta, writeMeta } from './database/meta.js';
import type { Queries } from './database/queries.js';
import { createSampleWriter } from './database/sampleWriter.js';
import { emitBetween, inReportingOrder, type Source } from './seed/source.js';

/** A sandbox that was off for longer than this leaves a gap instead of catching up. */
const LONGEST_CATCH_UP_SECONDS = 2 * 86_400;

export interface Simulator {
  /** Appends what is due now, in one transaction; returns the number of rows. */
  step(): number;
}

/** Reads the sources once; they do not change while the sandbox runs. */
export function createSimulator(db: Queries, clock: Clock): Simulator {
  const plans = db.all<{ plan: string }>('SELECT plan FROM source');
  const sources = inReportingOrder(plans.map(({ plan }) => JSON.parse(plan) as Source));
  const seed = Number(readMeta(db, 'seed') ?? 0);
  let until = Number(readMeta(db, 'simulated_until') ?? 0);

  function append(from: number, to: number): number {
    const writer = createSampleWriter(db);
    emitBetween(sources, seed, { from, to }, writer.write);
    const count = writer.flush();
    // Without a row there is nothing to remember: the same span would again give none.
    if (count > 0) writeMeta(db, 'simulated_until', String(to));
    return count;
  }

  return {
    step() {
      const now = Math.floor(clock.now() / 1000);
      if (now <= until) return 0;
      const from = Math.max(until, now - LONGEST_CATCH_UP_SECONDS);
      const count = db.transaction(() => append(from, now));
      until = now;
      return count;
    },
  };
}
