/** Serves the gateway with several worker processes. The primary holds the state that they share and serves no requests. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createBroadcasts } from './broadcasts.js';
import { createFeedCoordinator } from './feedCoordinator.js';
import { createMetricsCoordinator } from './metricsCoordinator.js';
import type { WorkerAssignment } from './protocol.js';
import { createTokenCoordinator } from './tokenCoordinator.js';
import { startWorkerPool, type WorkerPool } from './workerPool.js';

/** Monotonic, and stands still while the machine sleeps. */
const processClock = { now: () => performance.now() };

/** Rejects with one `StartupError`, even if several workers can't start. */
export function startWorkers(
  assignment: Omit<WorkerAssignment, 'gatewayId'>,
  logger: Logger,
): Promise<WorkerPool> {
  const services = [
    createTokenCoordinator(systemClock),
    createBroadcasts(),
    createFeedCoordinator({ clock: processClock, pollMs: assignment.gateway.livePollMs }),
    createMetricsCoordinator(),
  ];
  return startWorkerPool({ assignment: { ...assignment, gatewayId: randomUUID() }, services, logger });
}
