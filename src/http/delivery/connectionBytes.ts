/** Estimates of the memory that connections, subscriptions and received messages occupy, charged to their caller. */
import type { DocumentNode } from 'graphql';
import { createCallerLimitError, GatewayError } from '../../errors.js';
import { estimateDocumentBytes, textBytes } from '../../execution/documentBytes.js';
import type { ByteBudget } from '../../lib/byteBudget.js';

/** Estimated memory of a connection, and of an open subscription in addition to its message. */
export const CONNECTION_BYTES = 16 * 1024;
const SUBSCRIPTION_BYTES = 16 * 1024;
/** A subscription retains its message as text and as parsed JSON. */
const BYTES_PER_CHARACTER = 8;

/** Shorter requests and messages are not charged, because they usually arrive in one piece and are handled at once. */
const MAX_FREE_BYTES = 4096;
/** A request is retained as text and as parsed JSON. */
const BYTES_PER_RECEIVED_BYTE = 2;

/** Estimated memory of a request or message of this length, from its first byte to the end of its operation. */
export function receivedBytes(length: number): number {
  return length > MAX_FREE_BYTES ? BYTES_PER_RECEIVED_BYTE * length : 0;
}

export function createLongMessagesError(): GatewayError {
  return createCallerLimitError('Too many long messages are arriving or in progress. Send fewer at a time.');
}

export function createTooManySubscriptionsError(): GatewayError {
  return new GatewayError(
    'TOO_MANY_SUBSCRIPTIONS',
    'Too many open connections or subscriptions. Close some, or request fewer streams in each.',
    { retryable: true },
  );
}

export function createTooManyMessagesError(): GatewayError {
  return createCallerLimitError(
    'Too many connections or messages. Open fewer connections, send fewer messages, and wait before reconnecting.',
  );
}

const documentUses = new WeakMap<DocumentNode, DocumentUse>();

/**
 * The subscriptions that retain a document, which may be much larger than the message that names it. Each caller is charged
 * once for what exceeds the charge of a subscription, because its subscriptions share the document.
 */
export class DocumentUse {
  readonly #bytes: number;
  readonly #countByCaller = new Map<string, number>();

  private constructor(bytes: number) {
    this.#bytes = bytes;
  }

  static of(document: DocumentNode): DocumentUse {
    const existing = documentUses.get(document);
    if (existing !== undefined) return existing;
    const bytes = estimateDocumentBytes(document) + textBytes(document.loc?.source.body ?? '');
    const use = new DocumentUse(Math.max(0, bytes - SUBSCRIPTION_BYTES));
    documentUses.set(document, use);
    return use;
  }

  /** The bytes that one more subscription of the caller adds. */
  addedBytes({ caller }: ByteBudget): number {
    return this.#countByCaller.has(caller) ? 0 : this.#bytes;
  }

  begin(budget: ByteBudget): void {
    budget.add(this.addedBytes(budget));
    this.#countByCaller.set(budget.caller, (this.#countByCaller.get(budget.caller) ?? 0) + 1);
  }

  /** Call this once for each `begin`. */
  end(budget: ByteBudget): void {
    const count = (this.#countByCaller.get(budget.caller) ?? 0) - 1;
    if (count > 0) return void this.#countByCaller.set(budget.caller, count);
    this.#countByCaller.delete(budget.caller);
    budget.add(-this.#bytes);
  }
}

/** The charged bytes of one connection, of its messages and of its subscriptions. */
export class ConnectionCharge {
  #budget: ByteBudget;
  #bytes = CONNECTION_BYTES;
  #arrivingBytes = 0;
  #isReleased = false;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    budget.add(this.#bytes);
  }

  get budget(): ByteBudget {
    return this.#budget;
  }

  /** Charges bytes; a negative number releases them. Without effect after `release`. */
  add(bytes: number): void {
    if (this.#isReleased || bytes === 0) return;
    this.#bytes += bytes;
    this.#budget.add(bytes);
  }

  /**
   * Charges a subscription whose request has this many characters, and its document. Returns the bytes without the
   * document; 0 if nothing is charged. Throws TOO_MANY_SUBSCRIPTIONS.
   */
  addSubscription(characters: number, document: DocumentUse): number {
    if (this.#isReleased) return 0;
    const bytes = SUBSCRIPTION_BYTES + BYTES_PER_CHARACTER * characters;
    if (!this.#budget.hasRoomFor(bytes + document.addedBytes(this.#budget)))
      throw createTooManySubscriptionsError();
    this.add(bytes);
    document.begin(this.#budget);
    return bytes;
  }

  /** Releases the charge of `addSubscription`. */
  removeSubscription(bytes: number, document: DocumentUse): void {
    this.add(-bytes);
    document.end(this.#budget);
  }

  /** Charges the message that is arriving, by its length so far. Returns false if the caller then exceeds its budget. */
  receive(length: number): boolean {
    const added = receivedBytes(length) - this.#arrivingBytes;
    if (added === 0) return true;
    this.#arrivingBytes += added;
    this.add(added);
    return added < 0 || !this.#budget.isExceeded();
  }

  /** Charges another caller from now on. Returns false, without effect, if it has too little room. */
  moveTo(budget: ByteBudget): boolean {
    if (budget.caller !== this.#budget.caller && !budget.hasRoomFor(this.#bytes)) return false;
    this.#budget.add(-this.#bytes);
    budget.add(this.#bytes);
    this.#budget = budget;
    return true;
  }

  release(): void {
    this.add(-this.#bytes);
    this.#isReleased = true;
  }
}
