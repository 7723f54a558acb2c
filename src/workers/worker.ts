/** The process of a worker: serves the gateway that its primary configures, until the primary stops it or exits. */

import { type Gateway, startGateway } from '../gateway/gateway.js';
import { setHeapFlags } from '../gateway/heapFlags.js';
import { createLogger, finishLog } from '../gateway/logging.js';
import { withCurrentSecret } from '../gateway/platformSecret.js';
import { describeStartupError } from '../lib/startupErrors.js';
import { createIpcChannel } from './ipcChannel.js';
import type { ChannelToPrimary, PrimaryHandlers, WorkerHandlers } from './protocol.js';
import { createWorkerCoordinator } from './workerCoordinator.js';

/**
 * Ctrl-C, a closed terminal and service managers signal all processes at once. Only the primary decides when its
 * workers stop.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

/** Node's cluster ends this process when the primary exits. */
function openChannel(): ChannelToPrimary {
  return createIpcChannel<PrimaryHandlers, WorkerHandlers>({
    send: (message, done) => void process.send?.(message, undefined, undefined, done),
    onMessage: (listener) => process.on('message', listener),
  });
}

async function serve(channel: ChannelToPrimary): Promise<Gateway> {
  const assignment = await channel.request('begin', undefined);
  const logger = createLogger(assignment.logLevel, { worker: process.pid });
  const coordinator = createWorkerCoordinator(channel, assignment);
  const platform = await withCurrentSecret(assignment.gateway.platform);
  return startGateway({ ...assignment.gateway, platform, logger, coordinator });
}

setHeapFlags();
const channel = openChannel();
const serving = serve(channel);

channel.handle('ping', () => {});
channel.handle('stop', async () => {
  const gateway = await serving;
  return new Promise((onDrain) => void gateway.stop(onDrain).then(exitStopped));
});

async function exitStopped(cutOff: number): Promise<void> {
  await channel.request('stopped', cutOff).catch(() => undefined);
  await finishLog();
  process.exit(0);
}

try {
  const { url } = await serving;
  channel.notify('ready', url);
} catch (error) {
  await channel.request('failed', describeStartupError(error)).catch(() => undefined);
  process.exit(1);
}
