/** Durations and deadlines of calls, over a transport and a clock that the test controls. */
import { expect, it } from 'vitest';
import { silentLogger as logger } from '../../../src/lib/logger.js';
import { createFixedTokenManager } from '../../../src/rest/auth/tokenManager.js';
import type { CallRecord } from '../../../src/rest/callRecord.js';
import { createRestCaller } from '../../../src/rest/restCaller.js';
import type { PlatformRequest, TransportResponse } from '../../../src/rest/transport/platformRequest.js';
import { createTestClock } from '../../support/sandbox/sandbox.js';

function createCaller(send: (request: PlatformRequest) => Promise<TransportResponse>) {
  const clock = createTestClock();
  const tokens = createFixedTokenManager('token', () => undefined, clock);
  const caller = createRestCaller({ transport: { send, close() {} }, tokens, clock, logger });
  return { clock, caller };
}

function respond(status: number, body: unknown): TransportResponse {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
}

it.each([
  ['read', 200],
  ['write', 204],
] as const)('a %s during which the clock is set back has no negative duration', async (kind, status) => {
  const { clock, caller } = createCaller(async () => {
    clock.advance(-3_600_000);
    return respond(status, []);
  });
  const records: CallRecord[] = [];
  const onCall = (record: CallRecord) => records.push(record);
  const call = { template: '/v2.0/site', allowsNotFound: true };
  if (kind === 'read') await caller.list(call, () => undefined, { onCall });
  else await caller.write(call, { onCall });
  expect(records).toMatchObject([{ status, durationMs: 0 }]);
});

it('a write that is refused with 403 took no effect, also if the check of the token hangs', async () => {
  const { clock, caller } = createCaller(async ({ method, onSend }) => {
    onSend?.();
    return method === 'POST' ? respond(403, {}) : new Promise(() => undefined);
  });
  const call = { template: '/v2.0/stream/{streamId}/threshold', value: 5, body: {} };
  await expect(caller.write(call, { deadlineAtMs: clock.now() + 20 })).rejects.toMatchObject({
    code: 'PLATFORM_UNAUTHORIZED',
    mayHaveTakenEffect: false,
  });
});

it('the time of the last attempt is without the time before it was sent', async () => {
  const { clock, caller } = createCaller(async ({ onSend }) => {
    clock.advance(20_000);
    onSend?.();
    clock.advance(300);
    return respond(200, []);
  });
  const records: CallRecord[] = [];
  const onCall = (record: CallRecord) => records.push(record);
  await caller.list({ template: '/v2.0/site', allowsNotFound: true }, () => undefined, { onCall });
  expect(records).toMatchObject([{ durationMs: 20_300, lastAttemptMs: 300 }]);
});
