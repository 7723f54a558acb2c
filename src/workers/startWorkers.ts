/** Serves the gateway with several processes: this one keeps what they share, and answers no request itself. */
import { systemClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createFeedCoordinator } from './feedCoordinator.js';
import { createInvalidationBroadcast } from './invalidationBroadcast.js';
import { createMetricsCoordinator } from './metricsCoordinator.js';
import type { WorkerAssignment } from './protocol.js';
import { createRateBroadcast } from './rateBroadcast.js';
import { createTokenCoordinator } from './tokenCoordinator.js';
import { startWorkerPool, type WorkerPool } from './workerPool.js';

/** Monotonic, and stands still while the machine sleeps. */
const processClock = { now: () => performance.now() };

/** Rejects with a `StartupError`, once for however many workers it kept from starting. */
export function startWorkers(assignment: WorkerAssignment, logger: Logger): Promise<WorkerPool> {
  const coordinators = [
    createTokenCoordinator(systemClock),
    createInvalidationBroadcast(),
    createFeedCoordinator({ clock: processClock, pollMs: assignment.gateway.livePollMs }),
    createRateBroadcast(),
    createMetricsCoordinator(),
  ];
  return startWorkerPool({ assignment, coordinators, logger });
}
