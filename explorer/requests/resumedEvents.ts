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

export interface ResumedEvents extends AsyncIterableIterator<unknown> {
  /** Whether the subscription can be resumed. */
  hasBegun(): boolean;
  /** Reads the payload of a ping. */
  heartbeat(payload: Readonly<Record<string, unknown>> | undefined): void;
}

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
const CONNECTION_LOST = 'The connection to the gateway was lost.';
/** Close codes from here on mean that the gateway refuses the connection. */
const MIN_REFUSAL_CODE = 4000;

export function resumeEvents({ subscribe, toFailure, onWait }: ResumedEventsOptions): ResumedEvents {
  let cursor: string | undefined;
  /** The events after the cursor, as JSON. A resumed subscription repeats them. */
  let received: string[] = [];
  let repeated: string[] = [];
  let failures = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};

  const stream = new ReadableStream<unknown>({
    start: connect,
    cancel() {
      isOver = true;
      clearTimeout(timer);
      unsubscribe();
    },
  });
  const reader = stream.getReader();

  function connect(events: ReadableStreamDefaultController<unknown>): void {
    let end: ReturnType<typeof readEnd>;
    repeated = [...received];
    const close = (failure?: unknown) => {
      if (isOver) return;
      isOver = true;
      onWait(undefined);
      if (failure !== undefined) events.enqueue(failure);
      events.close();
    };
    const wait = (reason: string, minMs = 0) => {
      if (isOver) return;
      const waitMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2);
      failures += 1;
      onWait(reason);
      timer = setTimeout(() => connect(events), Math.max(minMs, waitMs));
    };
    unsubscribe = subscribe(cursor, {
      next(event) {
        if (isOver) return;
        end = readEnd(event);
        if (end === undefined) {
          showWorks();
          if (isNew(event)) events.enqueue(event);
        } else setCursor(end.cursor);
      },
      error(error) {
        if (cursor !== undefined && isLost(error)) wait(CONNECTION_LOST);
        else close({ errors: [toFailure(error)].flat() });
      },
      complete() {
        if (end === undefined) close();
        else wait(end.reason, end.retryAfterMs);
      },
    });
  }

  /** Stores the event until a cursor covers it. */
  function isNew(event: unknown): boolean {
    const text = JSON.stringify(event);
    const index = repeated.indexOf(text);
    if (index !== -1) repeated.splice(index, 1);
    // The first cursor covers everything before it.
    else if (cursor !== undefined) received.push(text);
    return index === -1;
  }

  function setCursor(next: string): void {
    cursor = next;
    received = [];
    repeated = [];
  }

  function showWorks(): void {
    failures = 0;
    onWait(undefined);
  }

  return {
    hasBegun: () => cursor !== undefined,
    heartbeat(payload) {
      const { asOf, cursors } = payload ?? {};
      const [next] = Object.values(cursors ?? {});
      showWorks();
      // Without `asOf`, a resumed subscription still repeats events.
      if (typeof next === 'string' && (asOf !== undefined || cursor === undefined)) setCursor(next);
    },
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    async return() {
      await reader.cancel();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
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
  const given = field.arguments?.find(({ name }) => name.value === 'after')?.value;
  if (given?.kind === Kind.VARIABLE)
    return { ...params, variables: { ...params.variables, [given.name.value]: cursor } };
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
