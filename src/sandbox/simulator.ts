/** Appends samples as time passes, from the last simulated time in the database. */
import type { Clock } from '../lib/clock.js';
import { runInSlices, runToCompletion, type SlicedComputation } from '../lib/slicedComputation.js';
import { readMeta, writeMeta } from './database/meta.js';
import type { Queries } from './database/queries.js';
import { createAgenda, emitBetween } from './seed/agenda.js';
import { createSampleWriter } from './seed/sampleWriter.js';
import type { Source } from './seed/source.js';

/** After a longer downtime the samples have a gap before this span. */
const MAX_CATCH_UP_SECONDS = 2 * 86_400;

export interface Simulator {
  /** Appends the samples that are due, in one transaction. Returns the number of rows. */
  step(): number;
  /** As `step`, over several turns of the event loop. Nothing else may use the database in the meantime. */
  catchUp(): Promise<number>;
}

/** Reads the sources once, because they do not change while the sandbox runs. */
export function createSimulator(db: Queries, clock: Clock): Simulator {
  const plans = db.all<{ plan: string }>('SELECT plan FROM source');
  const agenda = createAgenda(plans.map(({ plan }) => JSON.parse(plan) as Source));
  const seed = Number(readMeta(db, 'seed') ?? 0);
  let until = Number(readMeta(db, 'simulated_until') ?? 0);

  function* append(now: number): SlicedComputation<number> {
    const from = Math.max(until, now - MAX_CATCH_UP_SECONDS);
    const writer = createSampleWriter(db);
    yield* emitBetween(agenda, seed, { from, to: now }, writer.write);
    const count = writer.flush();
    // Without a row no progress needs saving: a second run over the same span also emits none.
    if (count > 0) writeMeta(db, 'simulated_until', String(now));
    return count;
  }

  const nowInSeconds = () => Math.floor(clock.now() / 1000);
  return {
    step() {
      const now = nowInSeconds();
      if (now <= until) return 0;
      const count = db.transaction(() => runToCompletion(append(now)));
      until = now;
      return count;
    },
    async catchUp() {
      const now = nowInSeconds();
      if (now <= until) return 0;
      const count = await db.longTransaction(() => runInSlices(append(now)));
      until = now;
      return count;
    },
  };
}
