/** Requests and responses between two processes: each request gets its own response, or an error. */
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import { createIpcChannel } from '../../../src/workers/ipcChannel.js';
import { createPorts } from '../../support/workers/channelPair.js';

type IpcResponses = { double(number: number): number; fail(code: string): void; hang(): void };
type None = Record<never, never>;

/** A request that waits for this timeout fails its test. */
const NEVER_MS = 600_000;

function createPair() {
  const [here, there] = createPorts();
  const asking = createIpcChannel<IpcResponses, None>(here);
  const responding = createIpcChannel<None, IpcResponses>(there);
  responding.handle('double', async (number) => {
    // The later the request, the sooner the response.
    await new Promise((resolve) => setTimeout(resolve, 20 - number));
    return 2 * number;
  });
  responding.handle('fail', (code) => {
    if (code === '') throw new Error('a fault');
    const details = { retryable: true, retryAfterMs: 5, platform: { status: 503 } };
    throw new GatewayError('PLATFORM_UNAVAILABLE', 'It is down.', details);
  });
  return asking;
}

describe('a channel', () => {
  it('returns each request its own response', async () => {
    const asking = createPair();
    expect(await Promise.all([1, 9, 4].map((number) => asking.request('double', number)))).toEqual([
      2, 18, 8,
    ]);
  });

  it('transfers an error of the gateway completely, and of any other its message', async () => {
    const asking = createPair();
    const error = await asking.request('fail', 'platform').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      code: 'PLATFORM_UNAVAILABLE',
      message: 'It is down.',
      retryable: true,
      retryAfterMs: 5,
      platform: { status: 503 },
    });
    await expect(asking.request('fail', '')).rejects.toThrow('a fault');
  });

  it('returns a response before it handles a request that arrived after it', async () => {
    let receive: (message: unknown) => void = () => {};
    const sent: object[] = [];
    const channel = createIpcChannel<IpcResponses, { report(text: string): void }>({
      send: (message) => void sent.push(message),
      onMessage(listener) {
        receive = listener;
      },
    });
    const order: string[] = [];
    channel.handle('report', (text) => void order.push(text));
    const responding = (async () => order.push(`response ${await channel.request('double', 1)}`))();
    const [{ id }] = sent as [{ id: number }];
    // After a suspension, Node emits the messages of one read without a turn between them.
    receive({ id, response: 2 });
    receive({ name: 'report', payload: 'request' });
    await responding;
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['response 2', 'request']);
  });

  it.each([
    ['no handler exists', (asking: ReturnType<typeof createPair>) => asking.request('hang', undefined)],
    [
      'the response takes too long',
      (asking: ReturnType<typeof createPair>) => asking.request('double', 1, 5),
    ],
    [
      'the channel closes meanwhile',
      (asking: ReturnType<typeof createPair>) => {
        const responding = asking.request('double', 1);
        asking.close();
        return responding;
      },
    ],
    [
      'the channel is already closed',
      (asking: ReturnType<typeof createPair>) => {
        asking.close();
        return asking.request('double', 1);
      },
    ],
  ])('rejects where %s', async (_, askIt) => {
    await expect(askIt(createPair())).rejects.toThrow();
  });

  it('rejects at once where the request cannot be sent', async () => {
    const asking = createIpcChannel<IpcResponses, None>({
      send: (_, done) => done(new Error('EPIPE')),
      onMessage() {},
    });
    await expect(asking.request('double', 1, NEVER_MS)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
