/** One operation of a stream, from its request to its end. */
import type { GatewayError } from '../../../errors.js';
import { toExtensions } from '../../../graphql/apollo/formatError.js';
import { type CancellationController, createCancellation } from '../../../lib/cancellation.js';
import type { PayloadBatch } from '../../../live/payloads.js';
import type { Heartbeat } from '../../../live/subscriptionSink.js';
import { type ConnectionCharge, receivedBytes } from '../connectionBytes.js';
import type { HeartbeatBatch } from '../heartbeats.js';
import type { SubscriptionHandle, TransportEnd, TransportSink } from '../transportSubscription.js';
import type { StreamCodec } from './streamCodec.js';

/** The parts of a connection that an operation needs. */
export interface OperationConnection {
  charge: Pick<ConnectionCharge, 'add' | 'addSubscription'>;
  add(operation: StreamOperation): void;
  /** Removes an operation that has ended. */
  remove(operation: StreamOperation): void;
  /** Whether the client takes further results. */
  isDrained(): boolean;
  write(frames: string | Buffer): void;
  heartbeats: Pick<HeartbeatBatch, 'add'>;
}

/** The id of the only operation of a response. */
export const DISTINCT_OPERATION = '';

export class StreamOperation implements TransportSink {
  readonly id: string;
  /** Cancelled when the client stops the operation or disconnects. */
  readonly cancellation: CancellationController = createCancellation();
  readonly #codec: StreamCodec;
  readonly #connection: OperationConnection;
  #chargedBytes = 0;
  #isOver = false;
  /** Undefined unless a result waits for the client. */
  #onFree: (() => void) | undefined;
  subscription: SubscriptionHandle | undefined;

  constructor(id: string, codec: StreamCodec, connection: OperationConnection) {
    this.id = id;
    this.#codec = codec;
    this.#connection = connection;
    connection.add(this);
  }

  /** Charges a query or mutation whose request has this many characters. */
  chargeRequest(characters: number): void {
    this.#chargedBytes = receivedBytes(characters);
    this.#connection.charge.add(this.#chargedBytes);
  }

  /** Charges the memory of a subscription whose request has this many characters. Throws TOO_MANY_SUBSCRIPTIONS. */
  chargeSubscription(characters: number): void {
    this.#chargedBytes = this.#connection.charge.addSubscription(characters);
  }

  /** Sends a result that others follow. Resolves when the client takes further results, or the operation is over. */
  async send(text: string): Promise<void> {
    if (this.#isOver) return;
    this.#connection.write(this.#codec.next(text));
    if (this.isFree()) return;
    await new Promise<void>((resolve) => {
      this.#onFree = resolve;
    });
  }

  /** Call it when the client takes further results. */
  resume(): void {
    this.#release();
    this.subscription?.resume();
  }

  /** Ends an operation in parts whose client does not read. Queries that are being executed continue. */
  endUnread(error: GatewayError): void {
    if (this.#onFree === undefined) return;
    this.cancellation.abort();
    const errors = [{ message: error.message, extensions: toExtensions(error) }];
    this.end({ text: JSON.stringify({ hasNext: false, errors }), error, cursor: undefined });
  }

  #release(): void {
    this.#onFree?.();
    this.#onFree = undefined;
  }

  /** Sends the last result. */
  answer(text: string): void {
    this.end({ text, error: undefined, cursor: undefined });
  }

  /** The client wants no further results. */
  cancel(): void {
    if (this.#isOver) return;
    this.#finish();
    this.cancellation.abort();
    this.subscription?.close();
  }

  isFree(): boolean {
    return this.#connection.isDrained();
  }

  next(batch: PayloadBatch): void {
    this.#connection.write(
      batch.framed(this.#codec.key, (payloads) =>
        Buffer.from(payloads.map(({ text, cursor }) => this.#codec.next(text, cursor)).join('')),
      ),
    );
  }

  heartbeat(heartbeat: Heartbeat): void {
    this.#connection.heartbeats.add(this.id, heartbeat);
  }

  end({ text, error }: TransportEnd): void {
    if (this.#isOver) return;
    this.#connection.write(this.#codec.complete(text, error));
    this.#finish();
  }

  /** Writing the end may have closed the connection, and with it the operation. */
  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
    this.#connection.charge.add(-this.#chargedBytes);
    this.#connection.remove(this);
  }
}
