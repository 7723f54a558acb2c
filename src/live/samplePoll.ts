/** Polls the platform for one kind of sample, step after step, until it is stopped. */
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { toMonotonicClock } from '../lib/monotonicClock.js';
import type { RestClient } from '../rest/restClient.js';
import type { Sample } from '../sources/samples/samples.js';
import { createSampleTail, type SampleKind, type TailPosition } from './sampleTail.js';

/** Delivers new samples, from polls of this process or of another one. */
export interface SamplePolls {
  /** Follows a kind. Call it again only after the first subscription has stopped. */
  follow(kind: SampleKind, onSamples: (samples: readonly Sample[]) => void): PollSubscription;
}

export interface PollSubscription {
  /** Resolves when all samples that arrive from now on will be delivered; rejects where the poll cannot start. */
  ready: Promise<unknown>;
  stop(): void;
}

export interface PollStep {
  /** The samples since the last step, oldest first; may be empty. */
  samples: readonly Sample[];
  /** The position behind them. */
  position: TailPosition;
}

interface PollOptions {
  rest: RestClient;
  clock: Clock;
  logger: Logger;
  pollMs: number;
}

export interface SamplePoll extends PollSubscription {
  /** Resolves to the position at which the poll starts. */
  ready: Promise<TailPosition>;
  isStopped(): boolean;
  /** The duration of the current start or step in milliseconds; 0 between two steps. */
  busyMs(): number;
}

/** Starts a poll at a position, or at the present. The next step waits for the promise of `onStep`. */
export type StartPoll = (
  kind: SampleKind,
  from: TailPosition | undefined,
  onStep: (step: PollStep) => void | Promise<void>,
) => SamplePoll;

export function createPollStarter({ rest, clock, logger, pollMs }: PollOptions): StartPoll {
  return (kind, from, onStep) => {
    const tail = createSampleTail(kind, rest, () => clock.now(), from);
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;
    const monotonic = toMonotonicClock(clock);
    let busySinceMs: number | undefined = monotonic.now();

    function schedule(): void {
      if (!isStopped) timer = setTimeout(() => void poll(), pollMs);
    }

    async function poll(): Promise<void> {
      busySinceMs = monotonic.now();
      try {
        const samples = await tail.step();
        if (!isStopped) await onStep({ samples, position: tail.position() });
      } catch (error) {
        logger.warn({ kind, cause: error }, 'Polling for samples failed');
      }
      busySinceMs = undefined;
      schedule();
    }

    async function start(): Promise<TailPosition> {
      if (from === undefined) await tail.start();
      logger.debug({ kind }, 'Polling for samples started');
      busySinceMs = undefined;
      schedule();
      return tail.position();
    }

    return {
      ready: start(),
      isStopped: () => isStopped,
      busyMs: () => (busySinceMs === undefined ? 0 : monotonic.now() - busySinceMs),
      stop() {
        isStopped = true;
        clearTimeout(timer);
      },
    };
  };
}

/** Polls of a process that shares none with others. */
export function createLocalPolls(start: StartPoll): SamplePolls {
  return {
    follow: (kind, onSamples) => start(kind, undefined, ({ samples }) => onSamples(samples)),
  };
}
