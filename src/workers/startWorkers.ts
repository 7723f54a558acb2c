/** Serves the gateway with several worker processes. The primary holds the state that they share and serves no requests. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createTokenTexts } from '../gateway/coordinator.js';
import type { Gateway } from '../gateway/gateway.js';
import { combineFamilies, createProcessMetrics, toWorkerExitsFamily } from '../gateway/metrics.js';
import type { MetricFamily } from '../gateway/metricTable.js';
import { type Clock, systemClock, toMonotonicClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { PollLeases } from './pollLeases.js';
import { type ConnectedWorker, type PrimaryService, reportKinds, type WorkerAssignment } from './protocol.js';
import { startWorkerPool } from './workerPool.js';

/** Rejects with one `StartupError`, even if several workers can't start. `stopping`: see `startApp`. */
export function startWorkers(
  assignment: Omit<WorkerAssignment, 'gatewayId' | 'workerId' | 'secret'>,
  logger: Logger,
  stopping?: AbortSignal,
): Promise<Gateway> {
  const services = [
    createTokenCoordinator(systemClock),
    createBroadcasts(),
    new PollLeases({ clock: toMonotonicClock(systemClock), pollMs: assignment.gateway.livePollMs, logger }),
    createMetricsCoordinator(),
    createPortDirectory(),
  ];
  const identity = { gatewayId: randomUUID(), secret: randomBytes(SECRET_BYTES).toString('base64url') };
  return startWorkerPool({ assignment: { ...assignment, ...identity }, services, logger, stopping });
}

/** As long as the token of a stream. */
const SECRET_BYTES = 24;

/** Runs in the primary and sends all workers the ports at which they accept requests from each other. */
function createPortDirectory(): PrimaryService {
  const workers = new Map<ConnectedWorker, number | undefined>();
  const broadcastPorts = () => {
    const ports = [...workers].flatMap(([{ id }, port]) => (port === undefined ? [] : [[id, port] as const]));
    for (const { channel } of workers.keys()) channel.notify('workerPorts', ports);
  };
  return {
    addWorker(worker) {
      workers.set(worker, undefined);
      worker.channel.handle('announcePort', (port) => {
        workers.set(worker, port);
        broadcastPorts();
      });
    },
    removeWorker(worker) {
      workers.delete(worker);
      broadcastPorts();
    },
  };
}

/**
 * Runs in the primary and holds the text through which workers share a credential's token, token budget and
 * renewal lease.
 */
export function createTokenCoordinator(clock: Clock): PrimaryService {
  const texts = createTokenTexts(clock);
  return {
    addWorker({ channel }) {
      channel.handle('readToken', ({ name }) => texts.read(name));
      channel.handle('replaceToken', ({ name, version, text, lifeMs }) =>
        texts.replace(name, version, text, lifeMs),
      );
    },
  };
}

/** The last known metrics stand in for those of a worker that hangs. */
const READ_TIMEOUT_MS = 1000;

/**
 * Runs in the primary and aggregates the metrics of all workers and of the primary. Counters of workers that have
 * exited stay in the sum: Prometheus interprets a decreasing counter as a restart of the whole gateway.
 */
function createMetricsCoordinator(): PrimaryService {
  const primary = createProcessMetrics();
  const reports = new Map<ConnectedWorker, readonly MetricFamily[]>();
  /** Counters and histograms of workers that have exited. */
  let exited: Promise<readonly MetricFamily[]> = Promise.resolve([]);
  let exitCount = 0;

  async function refresh(worker: ConnectedWorker): Promise<void> {
    const report = await worker.channel.request('readMetrics', undefined, READ_TIMEOUT_MS);
    if (reports.has(worker)) reports.set(worker, report);
  }

  async function collect(): Promise<MetricFamily[]> {
    await Promise.allSettled([...reports.keys()].map(refresh));
    return combineFamilies([
      ...reports.values(),
      await exited,
      [toWorkerExitsFamily(exitCount)],
      primary.collect(),
    ]);
  }

  return {
    addWorker(worker) {
      reports.set(worker, []);
      worker.channel.handle('collectMetrics', collect);
    },
    removeWorker(worker) {
      const counters = (reports.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
      exited = exited.then((before) => combineFamilies([before, counters]));
      reports.delete(worker);
      exitCount += 1;
    },
  };
}

/**
 * A worker that hangs must not delay the writes of the others. It processes the invalidation before it serves another
 * request, or soon after.
 */
const ACKNOWLEDGE_TIMEOUT_MS = 1000;

/**
 * Runs in the primary and forwards invalidations, operation counts, logins and needed polls of one worker to the
 * other workers.
 */
export function createBroadcasts(): PrimaryService {
  const workers = new Set<ConnectedWorker>();
  const othersThan = (sender: ConnectedWorker) =>
    [...workers].filter((worker) => worker !== sender).map(({ channel }) => channel);

  return {
    addWorker(worker) {
      workers.add(worker);
      const { channel } = worker;
      channel.handle('invalidate', async (invalidation) => {
        await Promise.allSettled(
          othersThan(worker).map((other) =>
            other.request('invalidated', invalidation, ACKNOWLEDGE_TIMEOUT_MS),
          ),
        );
      });
      for (const kind of reportKinds) {
        channel.handle(kind, (report) => {
          for (const other of othersThan(worker)) other.notify(kind, report);
        });
      }
    },
    removeWorker: (worker) => void workers.delete(worker),
  };
}
