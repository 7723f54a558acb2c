/**
 * The operations that share one streamed response: one in distinct connections mode and over multipart, several in single
 * connection mode. Bounds their memory, verifies the credential periodically, and ends all of them together.
 */
import type { GatewayError } from '../../../errors.js';
import type { ByteBudget } from '../../../lib/byteBudget.js';
import {
  type Cancellation,
  type CancellationController,
  createCancellation,
} from '../../../lib/cancellation.js';
import type { OpenSession } from '../../auth/callerSession.js';
import type { ResponseTarget } from '../../responses/sendResponse.js';
import { CONNECTION_BYTES, subscriptionBytes, tooManySubscriptions } from '../connectionBytes.js';
import type { OutboxLimits } from '../outbox.js';
import type { OperationConnection } from '../socketOperation.js';
import { credentialExpired, recheck, type VerifiableSession } from '../socketSessions.js';
import { ResponseStream } from './responseStream.js';
import type { StreamCodec } from './streamCodec.js';
import { type ResultSink, toEndError } from './streamOperation.js';

export interface StreamConnectionOptions extends OutboxLimits {
  requestId: string;
  verifiable: VerifiableSession;
  openSession: OpenSession;
  recheckIntervalMs: number;
  budget: ByteBudget;
  /** Writes the results of the operation with this id. */
  codecOf(operationId: string): StreamCodec;
  /** Whether the response ends with its last operation. */
  endsWithOperation: boolean;
  /** Counts a connection or operation that ends early. */
  onRefused(error: GatewayError): void;
  onClose(): void;
}

interface OpenOperation {
  cancellation: CancellationController;
  codec: StreamCodec;
  /** Charged bytes; 0 for queries and mutations. */
  bytes: number;
}

/** How the request that starts an operation is answered if its response is not the stream itself. */
export interface StartAnswer {
  /** The operation is valid and runs. */
  accept(): void;
  /** The operation is refused, with this response. */
  refuse(result: string): void;
}

/** Runs an operation on its connection. `sink` takes the results. */
export type RunOperation = (
  connection: OperationConnection,
  sink: ResultSink,
  cancellation: Cancellation,
) => Promise<void>;

export class StreamConnection {
  readonly #options: StreamConnectionOptions;
  readonly #operations = new Map<string, OpenOperation>();
  readonly #recheckTimer: NodeJS.Timeout;
  /** Resolves with the response, or with undefined if the connection closes before there is one. */
  readonly #attached: Promise<ResponseStream | undefined>;
  #resolveAttached: (stream: ResponseStream | undefined) => void = () => {};
  #response: ResponseStream | undefined;
  #isClosed = false;

  constructor(options: StreamConnectionOptions) {
    this.#options = options;
    this.#options.budget.add(CONNECTION_BYTES);
    this.#attached = new Promise((resolve) => {
      this.#resolveAttached = resolve;
    });
    this.#recheckTimer = setInterval(() => void this.#recheck(), options.recheckIntervalMs).unref();
  }

  get operationCount(): number {
    return this.#operations.size;
  }

  isAttached(): boolean {
    return this.#response !== undefined;
  }

  has(operationId: string): boolean {
    return this.#operations.has(operationId);
  }

  /** Sends the results over this response from now on. */
  attach(target: ResponseTarget): void {
    const { budget, codecOf, maxUnsentBytes, maxUnsentMs } = this.#options;
    this.#response = new ResponseStream(target, {
      ...{ budget, maxUnsentBytes, maxUnsentMs },
      codec: codecOf(''),
      onSlow: (error) => this.end(error),
      onClose: () => this.close(),
    });
    this.#resolveAttached(this.#response);
  }

  /** Runs an operation. An id that is in use must not be passed again. */
  async run(operationId: string, text: string, run: RunOperation, answer?: StartAnswer): Promise<void> {
    const { codecOf, endsWithOperation } = this.#options;
    const cancellation = createCancellation();
    const codec = codecOf(operationId);
    this.#operations.set(operationId, { cancellation, codec, bytes: 0 });
    const connection = {
      budget: this.#options.budget,
      beginSubscription: () => this.#charge(operationId, text.length),
    };
    try {
      await run(connection, this.#toSink(operationId, codec, answer), cancellation);
    } finally {
      this.#delete(operationId);
      if (endsWithOperation) this.#response?.end();
    }
  }

  /** Cancels an operation, because its client wants no further results. */
  cancel(operationId: string): void {
    this.#operations.get(operationId)?.cancellation.abort();
    this.#delete(operationId);
  }

  /** Ends every operation with the error, and the response behind them. */
  end(error: GatewayError): void {
    if (this.#isClosed) return;
    this.#options.onRefused(error);
    const reason = toEndError(error, this.#options.requestId);
    for (const { codec } of this.#operations.values()) void this.#response?.send(codec.complete(reason));
    this.#response?.end();
    this.close();
  }

  /** Cancels every operation and releases the session. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#recheckTimer);
    for (const id of [...this.#operations.keys()]) this.cancel(id);
    this.#resolveAttached(undefined);
    this.#options.budget.add(-CONNECTION_BYTES);
    this.#options.onClose();
    this.#options.verifiable.session.release();
  }

  #toSink(operationId: string, codec: StreamCodec, answer: StartAnswer | undefined): ResultSink {
    const isOpen = () => this.#operations.has(operationId);
    const next = async (result: string, cursor?: string) => {
      const response = this.#response ?? (await this.#attached);
      if (isOpen()) await response?.send(codec.next(result, cursor));
    };
    return {
      next,
      accept: () => answer?.accept(),
      refuse: async (result) => {
        if (answer) return answer.refuse(result);
        await next(result);
        if (isOpen()) void this.#response?.send(codec.complete());
      },
      complete: (error) => {
        if (isOpen()) void this.#response?.send(codec.complete(error));
      },
    };
  }

  #charge(operationId: string, characters: number): void {
    const operation = this.#operations.get(operationId);
    const bytes = subscriptionBytes(characters);
    if (!this.#options.budget.hasRoomFor(bytes)) throw tooManySubscriptions();
    if (operation === undefined) return;
    operation.bytes = bytes;
    this.#options.budget.add(bytes);
  }

  #delete(operationId: string): void {
    const operation = this.#operations.get(operationId);
    if (operation === undefined) return;
    this.#operations.delete(operationId);
    this.#options.budget.add(-operation.bytes);
  }

  async #recheck(): Promise<void> {
    const refusal = await recheck(this.#options.verifiable, this.#options.openSession);
    if (refusal !== undefined) this.end(credentialExpired());
  }
}
