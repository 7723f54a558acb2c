/** A worker's process: serves what its primary tells it to, until the primary says stop or is gone. */

import { describeStartupError } from '../config/startupError.js';
import { type Gateway, startGateway } from '../gateway/gateway.js';
import { limitHeapGrowth } from '../gateway/heapLimit.js';
import { createLogger } from '../gateway/logging.js';
import { createIpcChannel } from './ipcChannel.js';
import type { ChannelToPrimary, PrimaryHandlers, WorkerHandlers } from './protocol.js';
import { createPeers } from './workerPeers.js';

/** Ctrl-C and service managers signal all processes at once: when a worker ends is the primary's to say. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** Without its primary Node's cluster ends the process. */
function openChannel(): ChannelToPrimary {
  return createIpcChannel<PrimaryHandlers, WorkerHandlers>({
    send: (message, done) => void process.send?.(message, undefined, undefined, done),
    onMessage: (listener) => process.on('message', listener),
  });
}

async function serve(channel: ChannelToPrimary): Promise<Gateway> {
  const { gateway, workerCount, logLevel } = await channel.request('begin', undefined);
  const logger = createLogger(logLevel, { worker: process.pid });
  return startGateway({ ...gateway, logger, peers: createPeers(channel, workerCount) });
}

limitHeapGrowth();
const channel = openChannel();
const serving = serve(channel);

channel.handle('stop', async () => {
  const gateway = await serving;
  await gateway.stop();
  process.exit(0);
});

try {
  const { url } = await serving;
  channel.notify('ready', url);
} catch (error) {
  await channel.request('failed', describeStartupError(error)).catch(() => undefined);
  process.exit(1);
}
