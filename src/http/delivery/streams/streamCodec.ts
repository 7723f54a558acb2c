/** The forms in which results of operations are written to a long-lived HTTP response. Pure: results in, text out. */
import type { GatewayError } from '../../../errors.js';
import type { IncrementalFormat } from '../../../execution/incremental/incrementalFormat.js';
import type { StreamFormat } from '../streamFormat.js';

export interface StreamCodec {
  format: StreamFormat;
  /** Codecs with the same key write the same frames. */
  key: string;
  contentType: string;
  /** The first bytes of the response. Some browsers report the connection as open only after them. */
  start: string;
  /** `result` is the JSON text of one result. `cursor` is the position at which a client resumes after it. */
  next(result: string, cursor?: string): string;
  /**
   * The end of an operation, after its last result if there is one. If the operation ends early, that result
   * contains the error.
   */
  complete(result?: string, error?: Pick<GatewayError, 'retryable' | 'retryAfterMs'>): string;
  heartbeat(content: HeartbeatContent): string;
  /** The last bytes of the response. */
  end: string;
}

interface HeartbeatContent {
  /** The RFC 3339 time up to which the platform has been polled. */
  asOf?: string | undefined;
  /** The cursor of the only operation. */
  cursor?: string | undefined;
  /** The cursors of several operations, by their ids. */
  cursors?: Readonly<Record<string, string>>;
}

/** Milliseconds until an `EventSource` connects again after a lost connection. */
const DEFAULT_RETRY_MS = 1000;
const LINE_BREAKS = /[\r\n]/g;

/** An operation without an id is the only one of its response. */
interface SseOptions {
  /**
   * Whether the client may be the browser's `EventSource`. It does not see comments, so it gets heartbeats as an event as
   * well; other clients fail on events they do not know. It reconnects automatically, with the id of its last event.
   */
  isEventSource?: boolean;
  /** Identifies one of several operations of the response (single connection mode). */
  operationId?: string | undefined;
}

export function createSseCodec({ isEventSource = false, operationId }: SseOptions = {}): StreamCodec {
  const id = operationId === undefined ? undefined : JSON.stringify(operationId);
  const toData = (result: string) => (id === undefined ? result : `{"id":${id},"payload":${result}}`);
  const next = (result: string, cursor?: string) => {
    // The event id belongs to the whole response, so it cannot be the cursor of one of several operations.
    return `${toIdLine(id === undefined ? cursor : undefined)}event: next\ndata: ${toData(result)}\n\n`;
  };
  const completed = `event: complete\ndata:${id === undefined ? '' : ` {"id":${id}}`}\n\n`;
  return {
    format: 'sse',
    key: `sse ${id ?? ''}`,
    contentType: 'text/event-stream; charset=utf-8',
    start: isEventSource ? `retry: ${DEFAULT_RETRY_MS}\n\n` : ':\n\n',
    next,
    complete(result, error) {
      if (result === undefined) return completed;
      // Without `complete`, an EventSource connects again after `retry` and resumes.
      return isEventSource && error?.retryable
        ? `retry: ${error.retryAfterMs ?? DEFAULT_RETRY_MS}\n${next(result)}`
        : next(result) + completed;
    },
    heartbeat(content) {
      const text = JSON.stringify(content);
      const comment = `: heartbeat ${text}\n\n`;
      if (!isEventSource) return comment;
      return `${comment}${toIdLine(content.cursor)}event: heartbeat\ndata: ${text}\n\n`;
    },
    end: '',
  };
}

const BOUNDARY = 'graphql';
const DELIMITER = `\r\n--${BOUNDARY}`;

/**
 * Apollo's multipart HTTP protocol for subscriptions. Clients handle a part when its closing delimiter arrives, so each
 * frame ends with one. Apollo Client passes every body except `{}` on to the application, so the heartbeat carries
 * its time as a parameter of its content type, which Apollo's clients for the web, Kotlin and iOS all ignore.
 */
export const multipartCodec: StreamCodec = {
  format: 'multipart',
  key: 'multipart',
  contentType: `multipart/mixed;boundary="${BOUNDARY}";subscriptionSpec=1.0`,
  start: DELIMITER,
  next: toResultPart,
  complete(result, error) {
    if (result === undefined) return '';
    if (error === undefined) return toResultPart(result);
    // Clients report errors next to a null payload as errors of the connection.
    const { errors } = JSON.parse(result) as { errors?: unknown };
    return toPart(JSON.stringify({ payload: null, errors }));
  },
  heartbeat: ({ asOf, cursor }) => toPart('{}', toParameter('asOf', asOf) + toParameter('cursor', cursor)),
  end: '--\r\n',
};

/** Results in parts (`@defer` and `@stream`), in the format that the content type names. */
export function createIncrementalCodec(format: IncrementalFormat): StreamCodec {
  const parameter = format === 'v0.2' ? 'incrementalSpec=v0.2' : 'deferSpec=20220824';
  return {
    ...multipartCodec,
    key: `multipart ${parameter}`,
    contentType: `multipart/mixed;boundary="${BOUNDARY}";${parameter}`,
    next: (result) => toPart(result),
    complete: (result) => (result === undefined ? '' : toPart(result)),
    heartbeat: () => '',
  };
}

function toResultPart(result: string): string {
  return toPart(`{"payload":${result}}`);
}

function toPart(body: string, parameter = ''): string {
  return `\r\ncontent-type: application/json${parameter}\r\n\r\n${body}${DELIMITER}`;
}

/** Times and cursors have no characters that need an escape. */
function toParameter(name: string, value: string | undefined): string {
  return value === undefined ? '' : `; ${name}="${value}"`;
}

/** The id that an `EventSource` sends as `Last-Event-ID`. */
function toIdLine(cursor: string | undefined): string {
  return cursor === undefined ? '' : `id: ${cursor.replace(LINE_BREAKS, '')}\n`;
}
