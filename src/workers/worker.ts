/** A worker's process: serves what its primary tells it to, until the primary says stop or is gone. */

import { describeStartFailure } from '../cli/startupError.js';
import { type Gateway, startGateway } from '../gateway.js';
import { keepHeapSmall } from '../heapGrowth.js';
import { createLogger } from '../logging.js';
import { createChannel } from './channel.js';
import type { ChannelToPrimary, PrimaryAnswers, WorkerAnswers } from './protocol.js';
import { createSiblings } from './workerSiblings.js';

/** Ctrl-C and service managers signal all processes at once: when a worker ends is the primary's to say. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** Without its primary Node's cluster ends the process. */
function openChannel(): ChannelToPrimary {
  return createChannel<PrimaryAnswers, WorkerAnswers>({
    send: (message, done) => void process.send?.(message, undefined, undefined, done),
    onMessage: (listener) => process.on('message', listener),
  });
}

async function serve(channel: ChannelToPrimary): Promise<Gateway> {
  const { gateway, count, logLevel } = await channel.ask('begin', undefined);
  const logger = createLogger(logLevel, { worker: process.pid });
  return startGateway({ ...gateway, logger, siblings: createSiblings(channel, count) });
}

keepHeapSmall();
const channel = openChannel();
const serving = serve(channel);

channel.answer('stop', async () => {
  const gateway = await serving;
  await gateway.stop();
  process.exit(0);
});

try {
  const { url } = await serving;
  channel.tell('ready', url);
} catch (error) {
  await channel.ask('failed', describeStartFailure(error)).catch(() => undefined);
  process.exit(1);
}
