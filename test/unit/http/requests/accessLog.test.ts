/** The access log: which operations get a line, and how many lines callers can cause. */
import { describe, expect, it } from 'vitest';
import { hashDocument } from '../../../../src/graphql/documents/trustedDocuments.js';
import { AccessLog } from '../../../../src/http/requests/accessLog.js';
import { createRecordingLogger } from '../../../support/http/edgeGateway.js';

const caller = { id: 'a', name: 'dashboard', scopes: new Set(['read'] as const), organizationIds: undefined };
const documentHash = hashDocument('query Fleet { sites { totalCount } }');
const cost = { estimated: 12, budget: 100 };
const operation = { kind: 'query', name: 'Fleet', cost, document: 'trusted', documentHash } as const;
const ended = {
  requestId: 'r1',
  caller,
  operation,
  transport: 'http',
  source: 'executed',
  durationMs: 5,
} as const;

function createLog(accessLog: number, slowOperationMs = 0) {
  const logger = createRecordingLogger();
  return { logger, log: new AccessLog({ accessLog, slowOperationMs, logger, clock: { now: () => 0 } }) };
}

describe('the access log', () => {
  it.each([
    [0, 0],
    [0.01, 10],
    [0.25, 250],
    [1, 1000],
  ])('of a part of %d has that part of the operations', (part, count) => {
    const { logger, log } = createLog(part);
    for (let times = 0; times < 1000; times++) log.record(ended);
    expect(Math.abs(logger.lines.length - count)).toBeLessThanOrEqual(1);
  });

  it('has a warning for each slow operation, instead of its line', () => {
    const { logger, log } = createLog(1, 100);
    const reads = { network: 3, memory: 5, redis: 0, stale: 1, shared: 2 };
    const errorCodes = new Set(['PLATFORM_TIMEOUT']);
    for (const durationMs of [99.94, 100])
      log.record({ ...ended, durationMs, reads, errorCodes, status: 200 });
    const lines = logger.lines.map(({ level, message }) => `${level} ${message}`);
    expect(lines).toEqual(['info Operation completed', 'warn Slow operation']);
    expect(logger.lines[1]?.fields).toEqual({
      ...{ requestId: 'r1', transport: 'http', status: 200, caller: 'dashboard', callerKey: 'a' },
      ...{ operation: 'Fleet', type: 'query', document: 'trusted', documentHash: documentHash.slice(0, 16) },
      ...{ cost: 12, durationMs: 100, response: 'executed', restCalls: 3 },
      cache: { memory: 5, redis: 0, stale: 1, shared: 2 },
      errors: ['PLATFORM_TIMEOUT'],
    });
  });

  it.each([
    ['fleet-app', '1.4.0-rc.1', 'fleet-app@1.4.0-rc.1'],
    ['@acme/web', undefined, '@acme/web'],
    [undefined, '1.4.0', undefined],
    ['ä"\t\u001b31m', 'x'.repeat(5000), `????31m@${'x'.repeat(64)}`],
  ])('names the client %s %s', (name, version, client) => {
    const { logger, log } = createLog(1);
    const headers = { 'apollographql-client-name': name, 'apollographql-client-version': version };
    log.record({ ...ended, headers });
    expect(logger.lines[0]?.fields).toMatchObject({ client });
  });

  it('is bounded, and counts the lines that it leaves out', () => {
    const logger = createRecordingLogger();
    let nowMs = 0;
    const log = new AccessLog({ accessLog: 1, logger, clock: { now: () => nowMs } });
    for (let times = 0; times < 10_500; times++) log.record(ended);
    expect(logger.lines).toHaveLength(10_000);
    nowMs = 10_000;
    log.record(ended);
    expect(logger.lines.at(-1)?.fields).toMatchObject({ leftOut: 500 });
  });
});
