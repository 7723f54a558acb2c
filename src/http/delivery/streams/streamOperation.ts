/** One operation of a stream, from its request to its end. */
import type { GatewayError } from '../../../errors.js';
import { toClientError } from '../../../graphql/apollo/formatError.js';
import type { PayloadBatch } from '../../../live/payloads.js';
import { receivedBytes } from '../connectionBytes.js';
import {
  ConnectionOperation,
  type OperationConnection,
  type OperationOwner,
} from '../connectionOperation.js';
import type { TransportEnd } from '../transportSubscription.js';
import type { StreamCodec } from './streamCodec.js';

/** The id of the only operation of a response. */
export const DISTINCT_OPERATION = '';

interface StreamConnection extends OperationConnection, OperationOwner {
  add(operation: StreamOperation): void;
  write(frames: string | Buffer): void;
}

export class StreamOperation extends ConnectionOperation<StreamConnection> {
  readonly #codec: StreamCodec;
  /** Undefined unless a result waits for the client. */
  #onFree: (() => void) | undefined;

  constructor(id: string, codec: StreamCodec, connection: StreamConnection) {
    super(id, connection, connection);
    this.#codec = codec;
    connection.add(this);
  }

  /** Charges a query or mutation whose request has this many characters. */
  chargeRequest(characters: number): void {
    this.chargedBytes = receivedBytes(characters);
    this.connection.charge.add(this.chargedBytes);
  }

  async send(text: string): Promise<void> {
    if (this.isOver) return;
    this.connection.write(this.#codec.next(text));
    if (this.isFree()) return;
    await new Promise<void>((resolve) => {
      this.#onFree = resolve;
    });
  }

  /** Call it when the client can receive further results. */
  resume(): void {
    this.#release();
    this.subscription?.resume();
  }

  /** Ends an operation in parts whose client does not read. Queries that are being executed continue. */
  endUnread(error: GatewayError): void {
    if (this.#onFree === undefined) return;
    this.cancellation.abort();
    this.end({ text: JSON.stringify({ hasNext: false, errors: [toClientError(error)] }), error });
  }

  #release(): void {
    this.#onFree?.();
    this.#onFree = undefined;
  }

  next(batch: PayloadBatch): void {
    this.connection.write(
      batch.framed(this.#codec.key, (payloads) =>
        Buffer.from(payloads.map(({ text, cursor }) => this.#codec.next(text, cursor)).join('')),
      ),
    );
  }

  /** Writing the end may close the connection, and with it the operation. */
  end({ text, error }: TransportEnd): void {
    if (this.isOver) return;
    this.connection.write(this.#codec.complete(text, error));
    this.finish();
  }

  protected override finish(): void {
    super.finish();
    this.#release();
  }
}
