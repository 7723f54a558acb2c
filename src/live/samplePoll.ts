/** Polls the platform for one kind of sample, step after step, for as long as that is wanted. */
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { toMonotonicClock } from '../lib/monotonicClock.js';
import type { RestClient } from '../rest/restClient.js';
import type { Sample } from '../sources/samples/samples.js';
import { createSampleTail, type SampleKind, type TailPosition } from './sampleTail.js';

/** Where samples come from for those who listen. */
export interface SamplePolls {
  /** Follows a kind; a second time only after the first is over. */
  follow(kind: SampleKind, onSamples: (samples: readonly Sample[]) => void): PollSubscription;
}

export interface PollSubscription {
  /** Resolves when whatever arrives from now on is told of; rejects where that is not to be had. */
  ready: Promise<unknown>;
  stop(): void;
}

export interface PollStep {
  /** What has arrived since the last step, oldest first; there may be none. */
  samples: readonly Sample[];
  /** Behind them. */
  position: TailPosition;
}

export interface PollOptions {
  rest: RestClient;
  clock: Clock;
  logger: Logger;
  pollMs: number;
}

export interface SamplePoll extends PollSubscription {
  /** Where it begins. */
  ready: Promise<TailPosition>;
  isStopped(): boolean;
  /** For how many milliseconds the start or the current step has been going on; 0 between two steps. */
  busyMs(): number;
}

/** A poll of a kind that goes on from a place, or begins now; the next step waits for what `onStep` does. */
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

/** Polls of this process's own, for it alone. */
export function createLocalPolls(start: StartPoll): SamplePolls {
  return {
    follow: (kind, onSamples) => start(kind, undefined, ({ samples }) => onSamples(samples)),
  };
}
