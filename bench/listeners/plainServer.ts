/**
 * The server that the gateway is compared with: graphql-ws as its documentation shows it, with one poll of the platform
 * and one execution per subscriber and sample.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { useServer as serveSocket } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

interface PlatformSample {
  id: number;
  stream_id: number;
  sample_date: string;
  value: string;
}

const platformUrl = process.env['PLATFORM_URL'] ?? '';
const pollMs = Number(process.env['LIVE_POLL_SECONDS'] ?? 1) * 1000;
const listeners = new Set<(sample: PlatformSample) => void>();

/** An iterator with a queue, as `graphql-subscriptions` has it. */
async function* listen(): AsyncGenerator<{ sampleReceived: PlatformSample }> {
  const queue: PlatformSample[] = [];
  let wake = () => {};
  const push = (sample: PlatformSample) => {
    queue.push(sample);
    wake();
  };
  listeners.add(push);
  try {
    for (;;) {
      const sample = queue.shift();
      if (sample) yield { sampleReceived: sample };
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    listeners.delete(push);
  }
}

async function poll(afterId: number | undefined): Promise<void> {
  const query = afterId === undefined ? 'backfillHours=1' : `sampleID=${afterId}`;
  const response = await fetch(`${platformUrl}/v2.0/sample/batch?enableAck=true&${query}`);
  const { samples } = (await response.json()) as { samples: PlatformSample[] };
  if (afterId !== undefined) for (const sample of samples) for (const push of listeners) push(sample);
  setTimeout(() => poll(samples.at(-1)?.id ?? afterId).catch(() => process.exit()), pollMs);
}

const schema = makeExecutableSchema({
  typeDefs: `
    type Query { ok: Boolean }
    enum SampleKind { SCALAR }
    interface Sample { id: ID! sampledAt: String! }
    type ScalarSample implements Sample { id: ID! sampledAt: String! value: Float rawValue: String! }
    type Subscription { sampleReceived(kinds: [SampleKind!]): Sample! }`,
  resolvers: {
    Sample: { __resolveType: () => 'ScalarSample' },
    ScalarSample: {
      id: ({ id, stream_id }: PlatformSample) => `ScalarSample:${stream_id}:${id}`,
      sampledAt: ({ sample_date }: PlatformSample) => sample_date,
      value: ({ value }: PlatformSample) => Number(value),
      rawValue: ({ value }: PlatformSample) => value,
    },
    Subscription: { sampleReceived: { subscribe: () => listen() } },
  },
});

const server = createServer();
serveSocket({ schema }, new WebSocketServer({ server, path: '/graphql' }));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
poll(undefined).catch(() => undefined);
