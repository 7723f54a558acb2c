/**
 * A platform with one delivery queue that grows steadily. The value of a sample is the time at which it was first sent,
 * so that a listener can compute the delay since the poll.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LivePlatform {
  url: string;
  /** Samples are added while it is true. */
  isRunning: boolean;
  /** The id of the newest sample that was sent. */
  newestSentId(): number;
  close(): void;
}

const STREAMS = 100;
const FIRST_ID = 1000;

export async function startLivePlatform(samplesPerSecond: number): Promise<LivePlatform> {
  const sentAtMs = new Map<number, number>();
  let newestId = FIRST_ID;
  const timer = setInterval(() => {
    if (platform.isRunning) newestId += 1;
  }, 1000 / samplesPerSecond);

  function toSample(id: number) {
    const sentMs = sentAtMs.get(id) ?? Date.now();
    sentAtMs.set(id, sentMs);
    const seconds = new Date(sentMs).toISOString().replace(/\.\d+Z/, 'Z');
    return { id, stream_id: 1 + (id % STREAMS), sample_date: seconds, value: `${sentMs}.0000` };
  }

  function respond(url: URL): object {
    if (url.pathname === '/auth/token')
      return { access_token: 'token', token_type: 'JWT', expires_in: 86_400 };
    if (url.pathname !== '/v2.0/sample/batch') return { hasMore: false, samples: [] };
    const afterId = Number(url.searchParams.get('sampleID') ?? newestId - 1);
    const ids = Array.from({ length: Math.max(0, newestId - afterId) }, (_, index) => afterId + 1 + index);
    return { hasMore: false, samples: ids.map(toSample) };
  }

  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(respond(new URL(request.url ?? '/', 'http://localhost'))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform: LivePlatform = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isRunning: false,
    newestSentId: () => Math.max(FIRST_ID, ...sentAtMs.keys()),
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
  return platform;
}
