/** One subscription of a transport, from its start to its end. */
import type { ExecutionResult } from 'graphql';
import { type ErrorCode, type GatewayError, toGatewayError } from '../../errors.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { GroupMember } from '../../live/groupMember.js';
import type { PayloadBatch } from '../../live/payloads.js';
import type { Heartbeat, SubscriptionEnd, SubscriptionSink } from '../../live/subscriptionSink.js';
import type { CallerSession } from '../auth/callerSession.js';
import type { ResultFormatter } from './resultFormatter.js';
import type { LiveTransport, SubscriptionMetrics } from './subscriptionMetrics.js';

export interface TransportEnd extends Pick<SubscriptionEnd, 'error'> {
  /** The last execution result, as JSON: it has the error. Undefined if the events have ended without an error. */
  readonly text: string | undefined;
}

/** The part of a transport that one subscription writes to. No method may throw. */
export interface TransportSink extends Omit<SubscriptionSink, 'end'> {
  /** Cancels the REST calls of a replay. */
  readonly cancellation: Cancellation;
  /** Called once, after the last result: send the text if there is one, and complete the subscription. */
  end(end: TransportEnd): void;
}

export class FailedSubscription extends Error {
  readonly result: ExecutionResult;
  readonly requestId: string;

  constructor(result: ExecutionResult, requestId: string) {
    super('The subscription could not start.');
    this.result = result;
    this.requestId = requestId;
  }
}

export class TransportSubscription implements SubscriptionSink {
  readonly #results: ResultFormatter;
  readonly #metrics: SubscriptionMetrics;
  readonly #requestId: string;
  readonly #transport: LiveTransport;
  readonly #sink: TransportSink;
  #member: GroupMember<unknown, CallerSession> | undefined;
  isClosed = false;

  constructor(
    { results, metrics }: { results: ResultFormatter; metrics: SubscriptionMetrics },
    requestId: string,
    transport: LiveTransport,
    sink: TransportSink,
  ) {
    this.#results = results;
    this.#metrics = metrics;
    // A copy: Node joins a random id from many strings, which would stay in memory with it.
    this.#requestId = Buffer.from(requestId).toString();
    this.#transport = transport;
    this.#sink = sink;
    metrics.recordOpen(transport);
  }

  async join(member: GroupMember<unknown, CallerSession>): Promise<void> {
    this.#member = member;
    await member.begin();
  }

  isFree(): boolean {
    return this.#sink.isFree();
  }

  next(batch: PayloadBatch): void {
    this.#sink.next(batch);
    this.#metrics.recordDelivery(this.#transport, batch);
  }

  heartbeat(heartbeat: Heartbeat): void {
    if (!this.isClosed) this.#sink.heartbeat(heartbeat);
  }

  end({ error, cursor }: SubscriptionEnd): void {
    const text = error && this.#results.toErrorJson(error, this.#requestId, cursor);
    this.#end({ error, text });
  }

  /** Ends the subscription with an error, and the cursor after which it can be resumed. */
  fail(error: GatewayError): void {
    if (this.#member === undefined) this.end({ error, cursor: undefined });
    else this.#member.end(error);
  }

  failStart(error: unknown): void {
    if (error instanceof FailedSubscription) {
      const text = this.#results.toText(error.result, error);
      this.#end({ error: undefined, text });
    } else this.end({ error: toGatewayError(error), cursor: undefined });
  }

  /** Call this when `TransportSink.isFree` may have become true. */
  resume(): void {
    this.#member?.resume();
  }

  /** The client has disconnected. The sink is not called after this. */
  close(): void {
    this.#markClosed(undefined);
    this.#member?.close();
  }

  #end(end: TransportEnd): void {
    if (this.isClosed) return;
    this.#markClosed(end.error?.code);
    this.#sink.end(end);
  }

  #markClosed(code: ErrorCode | undefined): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#metrics.recordEnd(this.#transport, code);
  }
}
