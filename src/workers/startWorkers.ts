/** Serves the gateway with several processes: this one keeps what they share, and answers no request itself. */
import { systemClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createDropRelay } from './dropRelay.js';
import { createFeedBoard } from './feedBoard.js';
import { createMetricsBoard } from './metricsBoard.js';
import type { Assignment } from './protocol.js';
import { createRateRelay } from './rateRelay.js';
import { createTokenBoard } from './tokenBoard.js';
import { startWorkerPool, type WorkerPool } from './workerPool.js';

/** Monotonic, and stands still while the machine sleeps. */
const processClock = { now: () => performance.now() };

/** Rejects with a `StartFailure`, once for however many workers it kept from starting. */
export function startWorkers(assignment: Assignment, logger: Logger): Promise<WorkerPool> {
  const boards = [
    createTokenBoard(systemClock),
    createDropRelay(),
    createFeedBoard({ clock: processClock, pollMs: assignment.gateway.livePollMs }),
    createRateRelay(),
    createMetricsBoard(),
  ];
  return startWorkerPool({ assignment, boards, logger });
}
