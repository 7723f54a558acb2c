/**
 * Hostile websocket clients against a gateway in another process with a small heap. It keeps running, serves other
 * callers, uses bounded memory and logs only JSON.
 */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type StartedProcess, start, urlIn } from '../cli/startedProcess.js';
import { queryGateway } from '../support/gateway.js';
import {
  CONNECTION_INIT,
  closeHostileSockets,
  frame,
  type HostileSocket,
  many,
  openHostile,
  PING,
  TEXT,
} from '../support/http/hostileSocket.js';
import { createTestSandbox, type TestSandbox } from '../support/sandbox/testSandbox.js';
import { WAIT } from '../support/waiting.js';

const HEAP_MB = 112;
/** Memory above that of the idle gateway. */
const MAX_GROWTH_MB = 150;
const FLOOD_MS = 3000;

let sandbox: TestSandbox;
let gateway: StartedProcess;
let url: string;
let quietMb: number;

beforeAll(async () => {
  sandbox = await createTestSandbox({ siteCount: 40, historyDays: 1, simulatorIntervalMs: false });
});
afterAll(() => sandbox.close());

beforeEach(async () => {
  const [{ key, secret }] = sandbox.credentials;
  gateway = start([], {
    PLATFORM_URL: sandbox.url,
    PLATFORM_KEY: key,
    PLATFORM_SECRET: secret,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    LOG_LEVEL: 'debug',
    LIVE_POLL_SECONDS: '1',
    // Far above every default, so that only the bounds tested below apply.
    RATE_PER_SECOND: '100000',
    RATE_BURST: '100000',
  });
  url = urlIn(await gateway.startupOutput());
  await askNormally();
  quietMb = residentMb();
});
afterEach(closeHostileSockets);

function residentMb(): number {
  const text = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024;
}

/** From another address than the attacker's, as another caller. */
async function askNormally(): Promise<void> {
  const { body } = await queryGateway(url, '{ sites { totalCount } }');
  expect(body).toMatchObject({ data: { sites: { totalCount: expect.any(Number) } } });
}

/**
 * Runs an attack beside another caller's queries. Fails if a query gets no response, memory grows or a log line is not
 * JSON.
 */
async function survive(attack: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  let maxMb = 0;
  let responseCount = 0;
  const others = (async () => {
    while (!isOver) {
      await askNormally();
      responseCount += 1;
      maxMb = Math.max(maxMb, residentMb());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await Promise.all([attack().finally(() => (isOver = true)), others]);
  await askNormally();
  expect(responseCount).toBeGreaterThan(0);
  expect(maxMb - quietMb).toBeLessThan(MAX_GROWTH_MB);
  const lines = gateway.stderr.split('\n').filter((line) => line !== '');
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) });
  expect(lines.length).toBeLessThan(300);
}

const ping = many(5000, () => frame(TEXT, { type: 'ping' }));
const pingFrames = many(5000, () => frame(PING, 'x'.repeat(100)));
const garbage = many(5000, (index) => frame(TEXT, `no JSON ${index}`));
const unknownComplete = many(5000, (index) => frame(TEXT, { type: 'complete', id: `${index}` }));

async function connect(from?: string): Promise<HostileSocket> {
  const hostile = await openHostile(url, from);
  hostile.socket.write(CONNECTION_INIT);
  await vi.waitFor(() => expect(hostile.received()).toContain('connection_ack'), WAIT);
  return hostile;
}

describe('a client that reads nothing', () => {
  it.each([
    ['ping messages', ping],
    ['ping frames', pingFrames],
    ['complete messages', unknownComplete],
  ])('and sends %s is no longer read, before and after connection_init', async (_, data) => {
    await survive(async () => {
      const [stranger, known] = await Promise.all([openHostile(url), connect()]);
      stranger.stopReading();
      known.stopReading();
      const taken = await Promise.all([stranger.flood(data, FLOOD_MS), known.flood(data, FLOOD_MS)]);
      // The kernel buffers some megabytes; a gateway that keeps reading takes tens of them.
      for (const bytes of taken) expect(bytes).toBeLessThan(12_000_000);
    });
  });

  it('and sends large queries fills a few responses’ worth of memory', async () => {
    const fields = 'id name status devices { id name serialNumber channels { id name type { id name } } }';
    const query = `{ a: sites(first: 100) { nodes { ${fields} } } b: sites(first: 100) { nodes { ${fields} } } }`;
    const subscribe = (index: number) =>
      frame(TEXT, { type: 'subscribe', id: `${index}`, payload: { query } });
    await survive(async () => {
      const hostile = await connect();
      hostile.stopReading();
      hostile.socket.write(many(3000, subscribe));
      await new Promise((resolve) => setTimeout(resolve, 8000));
    });
  });
});

describe('a client that resumes', () => {
  it('300 subscriptions from the beginning, and reads nothing, is served page by page', async () => {
    const query =
      'subscription { sampleReceived(kinds: [SCALAR], after: "ScalarSample:1") { id sampledAt } }';
    await survive(async () => {
      const hostile = await connect();
      hostile.stopReading();
      hostile.socket.write(
        many(300, (id) => frame(TEXT, { type: 'subscribe', id: `${id}`, payload: { query } })),
      );
      await new Promise((resolve) => setTimeout(resolve, 6000));
    });
  });
});

describe('a client that sends an invalid message', () => {
  let connections = 0;

  /**
   * A new address for each connection, because an address that breaks the protocol often is refused new connections.
   */
  function nextAddress(): string {
    connections += 1;
    return `127.1.${Math.floor(connections / 250) % 250}.${(connections % 250) + 1}`;
  }

  it('is disconnected each time, and the log stays short', async () => {
    await survive(async () => {
      const endsAt = performance.now() + FLOOD_MS;
      while (performance.now() < endsAt) {
        const hostile = await openHostile(url, nextAddress());
        hostile.socket.write(garbage);
        hostile.socket.resetAndDestroy();
      }
    });
  });

  it('and disconnects before the response leaves no log line', async () => {
    await survive(async () => {
      const endsAt = performance.now() + FLOOD_MS;
      while (performance.now() < endsAt) {
        const hostile = await connect(nextAddress());
        hostile.socket.write(ping.subarray(0, 20_000));
        hostile.socket.write(
          many(50, (id) =>
            frame(TEXT, { type: 'subscribe', id: `${id}`, payload: { query: '{ sites { nodes { id } } }' } }),
          ),
        );
        hostile.socket.resetAndDestroy();
      }
    });
  });
});
