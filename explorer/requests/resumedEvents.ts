/** Continues a subscription after a lost connection, without lost or repeated events. */
import type { FetcherParams } from '@graphiql/toolkit';
import { type ArgumentNode, getOperationAST, Kind, parse, print, visit } from 'graphql';
import { isFailure } from './eventList.js';

interface Sink {
  next(event: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

interface ResumedEventsOptions {
  /** Begins after the cursor if there is one. Returns a function that ends the subscription. */
  subscribe(cursor: string | undefined, sink: Sink): () => void;
  /** The last event for an error that is not a lost connection. */
  toFailure(error: unknown): unknown;
  /** Called with the reason when the connection is lost, and with undefined when it works again. */
  onWait(reason: string | undefined): void;
}

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** More events after one cursor are shown again when the subscription is resumed. */
const MAX_RECEIVED = 10_000;
const CONNECTION_LOST = 'The connection to the gateway was lost.';
/** Close codes from here on mean that the gateway refuses the connection. */
const MIN_REFUSAL_CODE = 4000;

/** The events of one subscription over all its connections. Ends with the last event or with `return`. */
export class ResumedEvents implements AsyncIterableIterator<unknown> {
  readonly #options: ResumedEventsOptions;
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  #cursor: string | undefined;
  /** The events after the cursor, as JSON. A resumed subscription repeats them. */
  #received: string[] = [];
  /** Those that the present connection has not repeated yet. */
  #repeated: string[] = [];
  #failures = 0;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe = () => {};

  constructor(options: ResumedEventsOptions) {
    this.#options = options;
    const stream = new ReadableStream<unknown>({
      start: (events) => this.#connect(events),
      cancel: () => {
        this.#isOver = true;
        clearTimeout(this.#timer);
        this.#unsubscribe();
      },
    });
    this.#reader = stream.getReader();
  }

  /** Whether the subscription can be resumed. */
  hasBegun(): boolean {
    return this.#cursor !== undefined;
  }

  /** Reads the payload of a ping. */
  heartbeat(payload: Readonly<Record<string, unknown>> | undefined): void {
    const { asOf, cursors } = payload ?? {};
    const [next] = Object.values(cursors ?? {});
    this.#showWorks();
    // Without `asOf`, a resumed subscription still repeats events.
    if (typeof next === 'string' && (asOf !== undefined || !this.hasBegun())) this.#setCursor(next);
  }

  next(): Promise<IteratorResult<unknown>> {
    return this.#reader.read() as Promise<IteratorResult<unknown>>;
  }

  async return(): Promise<IteratorResult<unknown>> {
    await this.#reader.cancel();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #connect(events: ReadableStreamDefaultController<unknown>): void {
    let end: ReturnType<typeof readEnd>;
    this.#repeated = [...this.#received];
    this.#unsubscribe = this.#options.subscribe(this.#cursor, {
      next: (event) => {
        if (this.#isOver) return;
        end = readEnd(event);
        if (end === undefined) {
          this.#showWorks();
          if (this.#isNew(event)) events.enqueue(event);
        } else this.#setCursor(end.cursor);
      },
      error: (error) => {
        if (this.hasBegun() && isLost(error)) this.#reconnect(events, CONNECTION_LOST);
        else this.#close(events, { errors: [this.#options.toFailure(error)].flat() });
      },
      complete: () => {
        if (end === undefined) this.#close(events);
        else this.#reconnect(events, end.reason, end.retryAfterMs);
      },
    });
  }

  #reconnect(events: ReadableStreamDefaultController<unknown>, reason: string, minMs = 0): void {
    if (this.#isOver) return;
    const waitMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    this.#options.onWait(reason);
    this.#timer = setTimeout(() => this.#connect(events), Math.max(minMs, waitMs));
  }

  #close(events: ReadableStreamDefaultController<unknown>, failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onWait(undefined);
    if (failure !== undefined) events.enqueue(failure);
    events.close();
  }

  /** Stores the event until a cursor covers it. */
  #isNew(event: unknown): boolean {
    const text = JSON.stringify(event);
    const index = this.#repeated.indexOf(text);
    if (index !== -1) {
      this.#repeated.splice(index, 1);
      return false;
    }
    // The first cursor covers everything before it.
    if (this.hasBegun()) this.#received.push(text);
    if (this.#received.length > MAX_RECEIVED) this.#received.shift();
    return true;
  }

  #setCursor(next: string): void {
    this.#cursor = next;
    this.#received = [];
    this.#repeated = [];
  }

  #showWorks(): void {
    this.#failures = 0;
    this.#options.onWait(undefined);
  }
}

/** Undefined for all results except an error after which the subscription can be resumed. */
function readEnd(event: unknown) {
  if (!isFailure(event)) return undefined;
  const [error] = (event as { errors: { message: string; extensions?: Record<string, unknown> }[] }).errors;
  const { cursor, retryable, retryAfterMs } = error?.extensions ?? {};
  if (error === undefined || retryable !== true || typeof cursor !== 'string') return undefined;
  return { reason: error.message, cursor, retryAfterMs: Number(retryAfterMs ?? 0) };
}

function isLost(error: unknown): boolean {
  return error instanceof Event && !('code' in error && Number(error.code) >= MIN_REFUSAL_CODE);
}

/** The operation with the cursor as the argument `after` of its field, in a variable if it has one for this argument. */
export function continueAfter(params: FetcherParams, cursor: string | undefined): FetcherParams {
  const document = parse(params.query);
  const field = getOperationAST(document, params.operationName)?.selectionSet.selections[0];
  if (cursor === undefined || field?.kind !== Kind.FIELD) return params;
  const provided = field.arguments?.find(({ name }) => name.value === 'after')?.value;
  if (provided?.kind === Kind.VARIABLE)
    return { ...params, variables: { ...params.variables, [provided.name.value]: cursor } };
  const others = field.arguments?.filter(({ name }) => name.value !== 'after') ?? [];
  const after: ArgumentNode = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: 'after' },
    value: { kind: Kind.STRING, value: cursor },
  };
  const resumed = { ...field, arguments: [...others, after] };
  return {
    ...params,
    query: print(visit(document, { Field: (node) => (node === field ? resumed : undefined) })),
  };
}
