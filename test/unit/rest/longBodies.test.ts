/** The memory of long responses while they are decoded. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.js';
import { createTokenManager } from '../../../src/rest/auth/tokenManager.js';
import { createRestCaller } from '../../../src/rest/restCaller.js';
import { createRestClient } from '../../../src/rest/restClient.js';
import { runningClock } from '../../support/runningClock.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ROWS = 10_000;

/** A transport that responds with a batch of many rows, and does not keep the body. */
function createLongTransport() {
  const bodies: WeakRef<Buffer>[] = [];
  const send = async () => {
    const row = (_: unknown, index: number) => ({
      id: index + 1,
      stream_id: 1,
      sample_date: '2026-01-01T00:00:00Z',
      value: '1',
    });
    const body = Buffer.from(JSON.stringify({ samples: Array.from({ length: ROWS }, row), hasMore: false }));
    bodies.push(new WeakRef(body));
    return { status: 200, headers: {}, body };
  };
  return { bodies, transport: { send, close() {} } };
}

it('long responses retain only their text, not the bytes', async () => {
  const { bodies, transport } = createLongTransport();
  const parts = { clock: runningClock, logger: silentLogger };
  const requestToken = async () => ({ accessToken: 'token', expiresIn: 3600 });
  const tokens = createTokenManager({ ...parts, requestToken });
  const client = createRestClient(createRestCaller({ ...parts, transport, tokens }));
  let rowCount = 0;
  let isCollected = false;
  await client.queuedSamples(
    {},
    (rows) => {
      rowCount += rows.length;
      if (rowCount < ROWS) return;
      collectGarbage();
      isCollected = bodies[0]?.deref() === undefined;
    },
    {},
  );
  expect(rowCount).toBe(ROWS);
  expect(isCollected).toBe(true);
});
