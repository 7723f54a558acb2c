/** One operation of a long-lived connection, from its request to its end. */
import type { DocumentNode } from 'graphql';
import { type CancellationController, createCancellation } from '../../lib/cancellation.js';
import type { PayloadBatch } from '../../live/payloads.js';
import type { Heartbeat } from '../../live/subscriptionSink.js';
import { type ConnectionCharge, DocumentUse } from './connectionBytes.js';
import type { HeartbeatBatch } from './heartbeats.js';
import type { Operations, RequestedReads } from './operations.js';
import type { PreparedOperation } from './preparedOperation.js';
import type { SubscriptionOrigin, Subscriptions } from './subscriptions.js';
import type { TransportEnd, TransportSink, TransportSubscription } from './transportSubscription.js';

export interface OperationConnection {
  readonly charge: Pick<ConnectionCharge, 'add' | 'addSubscription' | 'removeSubscription'>;
  readonly heartbeats: Pick<HeartbeatBatch, 'add' | 'begin' | 'remove'>;
  /** Whether the client takes further results. */
  isDrained(): boolean;
}

export interface OperationOwner {
  remove(operation: ConnectionOperation): void;
}

/**
 * Charges, runs and cancels an operation in the same way over websockets and streams. A subclass writes the results
 * in the format of its transport.
 */
export abstract class ConnectionOperation<Connection extends OperationConnection = OperationConnection>
  implements TransportSink
{
  readonly id: string;
  protected readonly connection: Connection;
  readonly #owner: OperationOwner;
  /** Released when the operation ends. */
  protected chargedBytes = 0;
  /** Undefined for a query or mutation. */
  #document: DocumentUse | undefined;
  #cancellation: CancellationController | undefined;
  /** Undefined for a query or mutation, and before the subscription is opened. */
  subscription: TransportSubscription | undefined;
  isOver = false;

  constructor(id: string, connection: Connection, owner: OperationOwner) {
    this.id = id;
    this.connection = connection;
    this.#owner = owner;
  }

  /** Cancelled when the client stops the operation or disconnects. */
  get cancellation(): CancellationController {
    this.#cancellation ??= createCancellation();
    return this.#cancellation;
  }

  /**
   * Charges the memory of a subscription with this document, whose request has this many characters. Until it has started,
   * the heartbeats of the connection have no time. Throws TOO_MANY_SUBSCRIPTIONS.
   */
  beginSubscription(characters: number, document: DocumentNode): void {
    if (this.isOver) return;
    const use = DocumentUse.of(document);
    this.chargedBytes = this.connection.charge.addSubscription(characters, use);
    if (this.chargedBytes > 0) this.#document = use;
    this.connection.heartbeats.begin(this.id);
  }

  /** Executes the operation, and sends its results. Resolves when the response of a query or mutation is sent. */
  async run(
    { operations, subscriptions }: { operations: Operations; subscriptions: Subscriptions },
    prepared: PreparedOperation,
    origin: SubscriptionOrigin & RequestedReads,
  ): Promise<void> {
    if (prepared.operation.operation === 'subscription') {
      this.subscription = subscriptions.open(prepared, origin, this);
      return;
    }
    const { session, budget, transport, noCache, explain } = origin;
    const { cancellation } = this;
    const send = (text: string) => this.send(text);
    const details = { cancellation, budget, transport, noCache, explain, send };
    await this.end({ text: await operations.execute(prepared, session, details), error: undefined });
  }

  /** The client wants no further results, or has disconnected. */
  cancel(): void {
    if (this.isOver) return;
    this.finish();
    this.#cancellation?.abort();
    this.subscription?.close();
  }

  isFree(): boolean {
    return this.connection.isDrained();
  }

  heartbeat(heartbeat: Heartbeat): void {
    this.connection.heartbeats.add(this.id, heartbeat);
  }

  protected finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.#document) this.connection.charge.removeSubscription(this.chargedBytes, this.#document);
    else this.connection.charge.add(-this.chargedBytes);
    this.connection.heartbeats.remove(this.id);
    this.#owner.remove(this);
  }

  /** Sends a result that is not the last one. Resolves when the client takes further results, or the operation is over. */
  abstract send(text: string): Promise<void>;
  abstract next(batch: PayloadBatch): void;
  /** Resolves when the last result of a query or mutation is sent. */
  abstract end(end: TransportEnd): Promise<void> | void;
}
