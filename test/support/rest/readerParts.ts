/** Readers of the gateway in front of responses that the test computes. */
import { Cache } from '../../../src/cache/cache.js';
import { createSamplePageStore } from '../../../src/cache/memory/samplePageStore.js';
import type { CallGate } from '../../../src/lib/callGate.js';
import type { Clock } from '../../../src/lib/clock.js';
import { type Logger, silentLogger } from '../../../src/lib/logger.js';
import type { OperationTurns } from '../../../src/lib/turnBudget.js';
import { createFixedTokenManager } from '../../../src/rest/auth/tokenManager.js';
import { createRestCaller } from '../../../src/rest/restCaller.js';
import { createRestClient, type RestClient } from '../../../src/rest/restClient.js';
import type { PlatformRequest } from '../../../src/rest/transport/platformRequest.js';
import { createEndpointStats } from '../../../src/sources/core/endpointStats.js';
import { Reader } from '../../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../../src/sources/core/responseFreshness.js';
import { createManualClock } from '../cache/cacheParts.js';
import { keys } from '../cache/siteCache.js';

/**
 * A client whose transport responds with the JSON of a value; `respond` may throw in place of a response, or return a
 * promise.
 */
export function createComputedRest(
  respond: (path: string) => unknown,
  clock: Clock = createManualClock(),
  logger: Logger = silentLogger,
): { rest: RestClient; paths: string[] } {
  const paths: string[] = [];
  const transport = {
    async send({ path, onSend }: PlatformRequest) {
      onSend?.();
      paths.push(path);
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(await respond(path))) };
    },
    close() {},
  };
  const tokens = createFixedTokenManager('token', () => undefined, clock);
  return { rest: createRestClient(createRestCaller({ transport, tokens, clock, logger })), paths };
}

/** Readers of operations that share a cache. */
export function createReaders({
  clock = createManualClock(),
  cache = new Cache({ clock, logger: silentLogger }),
  maxListLength,
  operationTimeoutMs,
  noCache,
}: {
  clock?: Clock;
  cache?: Cache;
  /** The length at which the platform ends a list. */
  maxListLength?: number;
  /** Absent: operations have no deadline. */
  operationTimeoutMs?: number;
  noCache?: boolean;
} = {}) {
  const endpointStats = createEndpointStats({ nowMs: clock.now, maxListLength });
  const samplePages = createSamplePageStore({ clock });
  const parts = { cache, keys, samplePages, endpointStats, monotonicClock: clock };
  const toOptions = () => ({
    noCache,
    deadlineAtMs: operationTimeoutMs === undefined ? undefined : clock.now() + operationTimeoutMs,
  });
  return {
    endpointStats,
    createReader: (callGate?: CallGate, turns?: OperationTurns) =>
      new Reader({
        ...parts,
        options: toOptions(),
        freshness: createResponseFreshness(clock.now),
        callGate,
        turns,
      }),
  };
}
