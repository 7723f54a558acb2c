/**
 * Stores whole responses and shares executions in flight: equal requests of one scope cost one execution while
 * everything in the response is fresh. An invalidation of the REST cache raises one version, and a poll that returns
 * numeric samples raises another. Executions and responses of an older version are not reused, except that such a poll
 * does not affect responses without numeric samples.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { createClientDisconnectedError } from '../../errors.js';
import {
  type Cancellation,
  type CancellationController,
  createCancellation,
  type Waiter,
} from '../../lib/cancellation.js';
import { createSingleFlight, type SingleFlight } from '../../lib/singleFlight.js';
import type { CachedResponse, ContentEncoding } from './cachedResponse.js';

export interface CacheableRequest {
  /** From `toRequestKey`. */
  key: string;
  /** Version of the REST cache before the execution read anything. */
  version: number;
  /** Version of the polled numeric samples at the same time. */
  numbersVersion: number;
}

interface InFlightExecution<Response> extends Omit<CacheableRequest, 'key'> {
  flight: SingleFlight<Response>;
  controller: CancellationController;
}

interface Entry extends Omit<CacheableRequest, 'key'> {
  response: CachedResponse;
  storedAtMs: number;
}

const defaultLimits = {
  /** Maximum bytes of all entries: keys, bodies, compressed forms and objects. */
  maxBytes: 16 * 1024 * 1024,
  /** Maximum bytes of the keys of executions in flight. Executions beyond it are not shared. */
  maxInFlightBytes: 16 * 1024 * 1024,
};
/** Estimate of the objects of an entry. */
const ENTRY_BYTES = 1024;

export class ResponseCache<Response> {
  readonly #maxInFlightBytes: number;
  readonly #entries: LRUCache<string, Entry>;
  readonly #wasSeen = createSeenFilter();
  /** By key; at most one of the latest version. */
  readonly #flights = new Map<string, InFlightExecution<Response>>();
  #inFlightBytes = 0;

  constructor(limits: Partial<typeof defaultLimits> = {}) {
    const { maxBytes, maxInFlightBytes } = { ...defaultLimits, ...limits };
    this.#maxInFlightBytes = maxInFlightBytes;
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  /** Returns a fresh response of the same version. */
  get({ key, version, numbersVersion }: CacheableRequest, nowMs: number): CachedResponse | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // If the clock was set back, the entry would outlive its freshness.
    const isFresh = entry.storedAtMs <= nowMs && entry.response.freshUntilMs > nowMs;
    const hasNumbers = !entry.response.readsNumbers || entry.numbersVersion === numbersVersion;
    if (isFresh && hasNumbers && entry.version === version) return entry.response;
    this.#entries.delete(key);
    return undefined;
  }

  /**
   * Stores a response if the same request came before. Most requests come only once, and storing their responses would
   * cost more than it saves.
   */
  set({ key, version, numbersVersion }: CacheableRequest, response: CachedResponse, nowMs: number): void {
    if (response.freshUntilMs <= nowMs || !this.#wasSeen(key)) return;
    this.#entries.set(key, { response: toStored(response), version, numbersVersion, storedAtMs: nowMs });
  }

  /** Stores a compressed form beside the response that `get` returned, unless that was replaced or evicted. */
  addEncoded(
    { key, version }: CacheableRequest,
    entityTag: string,
    encoding: ContentEncoding,
    bytes: Buffer,
  ): void {
    const entry = this.#entries.peek(key);
    if (entry?.version !== version || entry.response.entityTag !== entityTag) return;
    const encoded = { ...entry.response.encoded, [encoding]: bytes };
    // A new object, so that the cache recomputes its size.
    this.#entries.set(key, { ...entry, response: { ...entry.response, encoded } });
  }

  /**
   * Shares the execution in flight for the same request, or calls `run`. The execution is cancelled when all its
   * callers have disconnected. Rejects with CANCELLED if this caller disconnects. A shared execution also gets the
   * turns of `waiter`.
   */
  async coalesce(
    request: CacheableRequest,
    cancellation: Cancellation,
    run: (cancellation: Cancellation) => Promise<Response>,
    waiter?: Waiter,
  ): Promise<Response> {
    const active = this.#flights.get(request.key);
    const isCurrent = active?.version === request.version && active.numbersVersion === request.numbersVersion;
    if (isCurrent) {
      if (waiter !== undefined) active.controller.addWaiter(waiter);
      return active.flight.wait(cancellation);
    }
    if (cancellation.isCancelled()) throw createClientDisconnectedError();
    const controller = createCancellation();
    return this.#share(request, run(controller), controller).wait(cancellation);
  }

  usage(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize };
  }

  #share(
    { key, version, numbersVersion }: CacheableRequest,
    execution: Promise<Response>,
    controller: CancellationController,
  ): SingleFlight<Response> {
    const bytes = toKeyBytes(key);
    const isShared = this.#inFlightBytes + bytes <= this.#maxInFlightBytes;
    const onEnd = () => {
      if (!isShared) return;
      this.#inFlightBytes -= bytes;
      if (this.#flights.get(key)?.flight === flight) this.#flights.delete(key);
    };
    const toCancelled = createClientDisconnectedError;
    const flight = createSingleFlight(execution, { controller, onEnd, toCancelled });
    if (!isShared) return flight;
    this.#inFlightBytes += bytes;
    this.#flights.set(key, { flight, controller, version, numbersVersion });
    return flight;
  }
}

/**
 * Builds the key of a request. Requests with equal keys get equal responses. `scope` names the trusted documents, and
 * the credential and the authorization of the caller. The headers are those by which Apollo Server chooses a media type
 * and recognises cross-site requests. `Accept-Encoding` is not part of the key: an entry holds its compressed forms
 * beside the body.
 */
export function toRequestKey(
  scope: string,
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: string,
): string {
  const isPreflighted = Boolean(headers['apollo-require-preflight'] || headers['x-apollo-operation-name']);
  const { accept = '', 'content-type': type = '' } = headers;
  return `${scope}\n${method} ${url}\n${accept}\n${type}\n${isPreflighted}\n${body}`;
}

/** Copies a short text, which may be made of parts, and encodes it. */
function toStored(response: CachedResponse): CachedResponse {
  const { body } = response;
  return typeof body === 'string' ? { ...response, body: Buffer.from(body).toString('latin1') } : response;
}

function sizeOf({ response }: Entry, key: string): number {
  const { bytes, encoded = {} } = response;
  const encodedBytes = Object.values(encoded).reduce((sum, { length }) => sum + length, 0);
  return bytes + encodedBytes + toKeyBytes(key) + ENTRY_BYTES;
}

/** V8 stores a string with any character beyond Latin-1 in two bytes per character. */
function toKeyBytes(key: string): number {
  return 2 * key.length;
}

/** Number of request hashes in the filter. A collision only causes one unnecessary entry in the cache. */
const SEEN_REQUESTS = 4096;

/**
 * The returned function adds the key, and returns whether it was among the recent keys. Keys whose hashes collide share two
 * slots: with a single slot, two alternating requests would replace each other forever, and neither would be stored.
 */
function createSeenFilter(): (key: string) => boolean {
  const seen = new Uint32Array(SEEN_REQUESTS);
  return (key) => {
    const number = toHash(key);
    const newest = (number % SEEN_REQUESTS) & ~1;
    const isSeen = seen[newest] === number || seen[newest + 1] === number;
    if (seen[newest] !== number) {
      seen[newest + 1] = seen[newest] ?? 0;
      seen[newest] = number;
    }
    return isSeen;
  };
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function toHash(text: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193);
  return number >>> 0;
}
