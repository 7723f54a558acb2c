/**
 * Opens subscriptions for every transport. Equal subscriptions of callers with the same rights form a group, which
 * executes each event once.
 */
import { hash, randomUUID } from 'node:crypto';
import { createSourceEventStream, Kind, visit } from 'graphql';
import { collectFragments } from '../../execution/collectFields.js';
import { listSelections, withVariableDefaults } from '../../graphql/documents/fragments.js';
import type { ByteBudget, ByteBudgets } from '../../lib/byteBudget.js';
import { createTurns } from '../../lib/fairQueue.js';
import type { Logger } from '../../lib/logger.js';
import { OperationTurns, TurnBudget } from '../../lib/turnBudget.js';
import type { LiveEvents } from '../../live/liveEvents.js';
import type { SampleFeed } from '../../live/sampleFeed.js';
import { SubscriptionGroup } from '../../live/subscriptionGroup.js';
import type { CallerSession, OpenSession, RequestDetails } from '../auth/callerSession.js';
import type { ReportRefusal } from '../requests/refusalReporter.js';
import type { RequestMetrics } from '../requests/requestMetrics.js';
import type { Cors } from '../responses/cors.js';
import { type OperationOptions, Operations, toLoggedTransport } from './operations.js';
import type { OutboxLimits } from './outbox.js';
import type { PreparedOperation } from './preparedOperation.js';
import { ResultFormatter } from './resultFormatter.js';
import { type LiveTransport, SubscriptionMetrics } from './subscriptionMetrics.js';
import { FailedSubscription, type TransportSink, TransportSubscription } from './transportSubscription.js';

/** The options that transports of subscriptions share. */
export interface DeliveryOptions extends OutboxLimits {
  openSession: OpenSession;
  /** Milliseconds between two verifications of the credential of an open connection. */
  recheckIntervalMs: number;
  operations: Operations;
  subscriptions: Subscriptions;
  cors: Cors;
  requestMetrics: RequestMetrics;
  reportRefusal: ReportRefusal;
  /** Charged with the memory of connections and subscriptions. */
  budgets: ByteBudgets;
  /** Rate limited, because callers cause its messages. */
  logger: Logger;
}

export interface SubscriptionOrigin {
  transport: LiveTransport;
  /** Must not be released before the subscription is closed or has ended. */
  session: CallerSession;
  /** Charged with the results that the client has not read. */
  budget: ByteBudget;
  /** A cursor that the transport received. It has precedence over the argument `after`. */
  after?: string | undefined;
}

type SubscriptionOptions = Pick<OperationOptions, 'schema' | 'execute' | 'takeTurn' | 'accessLog'>;
type Group = SubscriptionGroup<unknown, CallerSession>;

/**
 * Replaying past events does not wait for the platform, so resumed subscriptions could otherwise use the whole
 * CPU. This limits them to about 7,000 a second.
 */
const PAST_PAUSE_MS = 1;
const HEARTBEAT_MS = 12_000;
/**
 * Maximum heartbeats in one turn of the event loop. They take about a millisecond, because each one is a separate
 * message.
 */
const HEARTBEATS_PER_TURN = 100;
/** Milliseconds that the deliveries of all groups together may take of one turn. */
const MAX_DELIVERY_TURN_MS = 5;

export class Subscriptions {
  readonly metrics = new SubscriptionMetrics();
  readonly #options: SubscriptionOptions;
  readonly #results: ResultFormatter;
  readonly #groups = new Map<string, Group>();
  /** Subscriptions that wait for the platform before they join a group, with their callers. */
  readonly #starting = new Map<TransportSubscription, string>();
  readonly #feedIds = new WeakMap<SampleFeed, string>();
  readonly #turns = {
    takeTurn: createTurns(1),
    takePastTurn: createTurns(1, { pauseMs: PAST_PAUSE_MS }),
    takeHeartbeatTurn: createTurns(HEARTBEATS_PER_TURN),
  };
  readonly #deliveryBudget = new TurnBudget({ maxTurnMs: MAX_DELIVERY_TURN_MS });
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: SubscriptionOptions, results: ResultFormatter) {
    this.#options = options;
    this.#results = results;
    this.#heartbeat = setInterval(() => {
      for (const group of this.#groups.values()) void group.heartbeat();
      void this.#heartbeatStarting();
    }, HEARTBEAT_MS).unref();
  }

  close(): void {
    clearInterval(this.#heartbeat);
  }

  /**
   * Opens a subscription. Problems of the request and of the platform arrive as the end of the sink, possibly before this
   * function returns.
   */
  open(prepared: PreparedOperation, origin: SubscriptionOrigin, sink: TransportSink): TransportSubscription {
    const { requestId, summary: operation } = prepared;
    const { transport, session } = origin;
    const parts = { results: this.#results, metrics: this.metrics };
    const subscription = new TransportSubscription(parts, requestId, transport, sink);
    this.#options.accessLog?.recordSubscription({
      requestId,
      caller: session.caller,
      transport: toLoggedTransport(transport),
      operation,
    });
    void this.#join(subscription, prepared, origin, sink);
    return subscription;
  }

  async #join(
    subscription: TransportSubscription,
    prepared: PreparedOperation,
    origin: SubscriptionOrigin,
    sink: TransportSink,
  ): Promise<void> {
    const { session, budget } = origin;
    prepared.trace?.beginPhase('graphql.subscribe');
    try {
      const own = await this.#openOwn(subscription, prepared, origin, sink);
      if (subscription.isClosed) return;
      const replay = own?.replay;
      if (replay !== undefined) this.metrics.recordResume();
      const group = this.#getGroup(prepared, session, own?.streamIds);
      await subscription.join(group.add({ sink: subscription, budget, owner: session, replay }));
    } catch (error) {
      prepared.trace?.fail();
      subscription.failStart(error);
    } finally {
      prepared.trace?.end({ cost: prepared.summary.cost?.estimated, reads: undefined });
    }
  }

  /**
   * Opens the events of a subscription that resumes, or that names streams or sites, before it joins a group. Returns
   * undefined for other subscriptions, which need only the events of their group.
   */
  async #openOwn(
    subscription: TransportSubscription,
    prepared: PreparedOperation,
    { session, budget, after }: SubscriptionOrigin,
    sink: TransportSink,
  ): Promise<LiveEvents<unknown> | undefined> {
    const isShared = after === undefined && !OWN_ARGUMENTS.some((name) => isGiven(prepared, name));
    if (isShared) return undefined;
    this.#starting.set(subscription, budget.caller);
    try {
      return await this.#subscribe(prepared, session, { budget, after, cancellation: sink.cancellation });
    } finally {
      this.#starting.delete(subscription);
    }
  }

  /** They have no `asOf`: only a group knows up to which time the platform has been polled. */
  async #heartbeatStarting(): Promise<void> {
    for (const [subscription, caller] of this.#starting) {
      const turn = this.#turns.takeHeartbeatTurn(caller);
      if (turn !== undefined) await turn;
      if (this.#starting.has(subscription)) subscription.heartbeat({ asOf: undefined, cursor: undefined });
    }
  }

  #getGroup(
    prepared: PreparedOperation,
    session: CallerSession,
    streamIds: ReadonlySet<number> | undefined,
  ): Group {
    const scope = [this.#feedIdOf(session), session.authorizationKey, ...(streamIds ?? [])];
    const key = toGroupKey(scope, prepared);
    const existing = this.#groups.get(key);
    if (existing !== undefined) return existing;
    const requestId = randomUUID();
    // The group outlives the trace of the first subscription.
    const shared = { ...prepared, requestId, trace: undefined };
    const group: Group = new SubscriptionGroup({
      subscribe: (budget) => this.#subscribe(shared, session, { budget }),
      execute: (events, owner, callerId) => this.#execute(shared, events, owner, callerId),
      toErrorJson: (error) => this.#results.toErrorJson(error, requestId, undefined),
      ...this.#turns,
      takeReplayTurn: this.#options.takeTurn,
      deliveryTurns: new OperationTurns(this.#deliveryBudget),
      onEmpty: () => void this.#groups.delete(key),
    });
    this.#groups.set(key, group);
    return group;
  }

  #feedIdOf({ feed }: CallerSession): string {
    const id = this.#feedIds.get(feed) ?? randomUUID();
    this.#feedIds.set(feed, id);
    return id;
  }

  /** Calls the resolver of the subscription field. Throws `FailedSubscription` with its errors. */
  async #subscribe(
    { requestId, document, operationName, variables, summary: { cost }, trace }: PreparedOperation,
    session: CallerSession,
    details: Pick<RequestDetails, 'budget' | 'cancellation' | 'after'>,
  ): Promise<LiveEvents<unknown>> {
    const callerId = details.budget?.caller;
    const contextValue = session.createContext({ requestId, callerId, cost, trace, ...details });
    const { schema } = this.#options;
    const request = { schema, document, operationName, variableValues: variables, contextValue };
    const events = await createSourceEventStream(request);
    if ('errors' in events) throw new FailedSubscription(events, contextValue.requestId);
    // Every subscription field returns `LiveEvents`; graphql-js passes them on.
    return events as LiveEvents<unknown>;
  }

  /** The events of a batch are executed together, so that they share the REST calls for what they load. */
  async #execute(
    { requestId, document, operationName, variables, summary: { cost } }: PreparedOperation,
    events: readonly unknown[],
    session: CallerSession,
    callerId: string | undefined,
  ): Promise<readonly string[]> {
    const contextValue = session.createContext({ requestId, callerId, cost });
    const results = events.map(async (rootValue) => {
      const request = { document, operationName, variableValues: variables, contextValue, rootValue };
      return this.#results.toText(await this.#options.execute(request), { requestId });
    });
    return Promise.all(results);
  }
}

/**
 * Names everything that the results of a subscription depend on: the feed, the authorization of the caller and the streams
 * in `scope`, the document, and the variables without the cursor.
 */
function toGroupKey(scope: readonly (string | number)[], prepared: PreparedOperation): string {
  const { source, operationName = '', variables } = prepared;
  const cursorVariable = findCursorVariable(prepared);
  const values = Object.entries(variables)
    .filter(([name]) => name !== cursorVariable)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([scope, operationName, values, source]), 'base64url');
}

/** The argument of every subscription field that takes a cursor. */
const CURSOR_ARGUMENT = 'after';

/**
 * Arguments that each subscription resolves on its own, before it joins a group: a site may have more streams than when the
 * group began.
 */
const OWN_ARGUMENTS = [CURSOR_ARGUMENT, 'streamIds', 'siteIds'];

function isGiven(prepared: PreparedOperation, argument: string): boolean {
  const variables = withVariableDefaults(prepared.operation, prepared.variables);
  return findArguments(prepared, argument).some(({ value }) =>
    value.kind === Kind.VARIABLE ? variables[value.name.value] != null : value.kind !== Kind.NULL,
  );
}

function findArguments(
  { operation, document }: Pick<PreparedOperation, 'operation' | 'document'>,
  argument: string,
) {
  return listSelections(operation, collectFragments(document))
    .flatMap((selection) => (selection.kind === Kind.FIELD ? (selection.arguments ?? []) : []))
    .filter(({ name }) => name.value === argument);
}

/** The variable that is the cursor and nothing else. */
function findCursorVariable({ operation, document }: PreparedOperation): string | undefined {
  const [value] = findArguments({ operation, document }, CURSOR_ARGUMENT).map((argument) => argument.value);
  if (value?.kind !== Kind.VARIABLE) return undefined;
  const name = value.name.value;
  let uses = 0;
  visit(document, {
    VariableDefinition: () => false,
    Variable(node) {
      if (node.name.value === name) uses += 1;
    },
  });
  return uses === 1 ? name : undefined;
}

/** Creates what all transports share. */
export function createDelivery(options: Omit<OperationOptions, 'takeTurn'>) {
  // Spreads new connections, operations and subscriptions over turns of the event loop.
  const takeTurn = createTurns(1);
  const results = new ResultFormatter(options);
  const shared = { ...options, takeTurn };
  return {
    results,
    operations: new Operations(shared, results),
    subscriptions: new Subscriptions(shared, results),
    takeTurn,
  };
}
