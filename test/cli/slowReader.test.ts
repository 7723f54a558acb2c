/** A process that gets SIGTERM while it sends a response to a slow client, or waits for the result of a write. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { TOKEN_PATH } from '../../src/rest/path.js';
import { ask, startPlainServer, until } from '../support/http/edgeGateway.js';
import { createGate } from '../support/waiting.js';
import { start, urlIn } from './startedProcess.js';

/** Far more than the kernel buffers for a connection that nobody reads. */
const MIN_BYTES = 8_000_000;
const ALIASES = 900;

const limits = {
  SANDBOX_SITES: '20',
  MAX_ALIASES: '1000',
  MAX_ROOT_FIELDS: '1000',
  MAX_REPEATS: '1000',
  MAX_TOKENS: '100000',
  MAX_COST: '1000000000',
};

/** Sends the query, and stops reading as soon as the response begins. */
async function openSlowly(url: string, query: string): Promise<{ socket: Socket; begun: Buffer[] }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ query });
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [begun] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, begun: [begun] };
}

async function readRest({ socket, begun }: { socket: Socket; begun: Buffer[] }): Promise<Buffer> {
  socket.on('data', (chunk: Buffer) => begun.push(chunk));
  const ended = once(socket, 'close');
  socket.resume();
  await ended;
  return Buffer.concat(begun);
}

describe('a response that is still being sent on SIGTERM', () => {
  it('arrives completely', async () => {
    const gateway = start([], limits);
    const url = urlIn(await gateway.startupOutput());
    const fields = Array.from(
      { length: ALIASES },
      (_, index) => `a${index}: streams(first: 1000) { nodes { id platformId name units type { name } } }`,
    );
    const slow = await openSlowly(url, `{ ${fields.join(' ')} }`);
    gateway.kill('SIGTERM');
    await until(async () => (await fetch(`${url}/healthz`)).status === 503);
    const received = await readRest(slow);
    const headBytes = received.indexOf('\r\n\r\n') + 4;
    const announced = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, headBytes))?.[1]);
    expect(announced).toBeGreaterThan(MIN_BYTES);
    expect(received.length - headBytes).toBe(announced);
    expect(await gateway.ended).toBe(0);
  });
});

/** A connection that no worker accepts any more gets no response until the process ends. */
async function isStopping(url: string): Promise<boolean> {
  const health = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  return health?.status !== 200;
}

describe('a write that is in flight when the process ends', () => {
  it.each([['1'], ['2']])('leaves a line after a second SIGTERM, with WORKERS=%s', async (WORKERS) => {
    const { open: arrive, opened: arrived } = createGate();
    // The write never gets a response.
    const platform = await startPlainServer(({ url, method }, response) => {
      if (url === TOKEN_PATH) response.end(JSON.stringify({ access_token: 't', expires_in: 3600 }));
      else if (method === 'POST') arrive();
      else response.end('{}');
    });
    const access = { PLATFORM_URL: platform.url, PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' };
    const gateway = start([], { ...access, WORKERS, LOG_LEVEL: 'info' });
    const url = urlIn(await gateway.startupOutput());
    const write =
      'mutation { acknowledgeSamples(input: { kind: SCALAR, sampleId: "7" }) { userErrors { code } } }';
    const writeResult = ask(url, write).catch(() => 'cut off');
    await arrived;
    gateway.kill('SIGTERM');
    await until(() => isStopping(url));
    gateway.kill('SIGTERM');
    expect([await gateway.ended, await writeResult]).toEqual([1, 'cut off']);
    // A worker may outlive its primary by a moment.
    const lines = () => gateway.stderr.split('\n').filter((line) => line.includes('"Mutation executed"'));
    await until(() => lines().length > 0);
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { mutation: 'acknowledgeSamples', sampleId: '7', result: 'mayHaveTakenEffect', code: 'STOPPING' },
    ]);
  });
});
