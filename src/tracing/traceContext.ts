/** Reads and writes the headers of W3C Trace Context (https://www.w3.org/TR/trace-context/). Pure, except for new ids. */
import { randomBytes } from 'node:crypto';

/** The place of a span in a trace, as it travels between processes. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits: the span of the sender. */
  spanId: string;
  isSampled: boolean;
  /** `tracestate` as received; empty if there is none. It is passed on unchanged. */
  state: string;
}

/** Longer values of `tracestate` are dropped: the specification demands no more. */
const MAX_STATE_CHARACTERS = 512;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Members of a list, in visible ASCII characters. */
const TRACESTATE = /^[\x20-\x7e]*$/;

/** Undefined if the header is absent or invalid: then the request begins a trace. */
export function parseTraceContext(
  traceparent: string | string[] | undefined,
  tracestate: string | string[] | undefined,
): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > 128) return undefined;
  const [, traceId, spanId, flags = '00', rest] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  // Version 00 has exactly these fields; later versions may append some.
  if (rest !== undefined && traceparent.startsWith('00-')) return undefined;
  const text = Array.isArray(tracestate) ? tracestate.join(',') : (tracestate ?? '');
  const state = text.length <= MAX_STATE_CHARACTERS && TRACESTATE.test(text) ? text.trim() : '';
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state };
}

/** The headers that continue the trace on another server. */
export function toTraceHeaders({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** Random bytes are drawn for many ids at once, which takes a tenth of the time. */
const POOL_BYTES = 8192;
let pool = '';
let position = 0;

function drawHex(bytes: number): string {
  const end = position + 2 * bytes;
  if (end > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    position = 0;
    return drawHex(bytes);
  }
  const text = pool.slice(position, end);
  position = end;
  return text;
}

export const createTraceId = (): string => drawHex(TRACE_ID_BYTES);
export const createSpanId = (): string => drawHex(SPAN_ID_BYTES);
