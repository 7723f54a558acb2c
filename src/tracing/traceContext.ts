/** Reads and writes the headers of W3C Trace Context (https://www.w3.org/TR/trace-context/). Pure, except for new ids. */
import { randomFillSync } from 'node:crypto';

/**
 * The id of a trace: four signed 32-bit numbers, which V8 stores without allocating objects. Hexadecimal strings
 * would be created for each span and parsed again when it is encoded.
 */
export interface TraceId {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
}

/** The id of a span: two numbers of 32 bits. */
export interface SpanId {
  readonly high: number;
  readonly low: number;
}

/** The position of a span in a trace, as headers carry it between processes. */
export interface TraceContext {
  traceId: TraceId;
  /** The span of the sender. */
  spanId: SpanId;
  isSampled: boolean;
  /** `tracestate` as received; empty if there is none. It is passed on unchanged. */
  state: string;
}

/** Longer values of `tracestate` are dropped. W3C Trace Context recommends passing on at least this many characters. */
const MAX_STATE_CHARACTERS = 512;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
/** Version 00 has exactly this length; later versions may append fields. */
const TRACEPARENT_CHARACTERS = 55;
const TRACE_ID_START = 3;
const SPAN_ID_START = 36;
const LAST_FLAG = 54;
/** Members of a list, in visible ASCII characters. */
const TRACESTATE = /^[\x20-\x7e]*$/;

/** Undefined if the header is absent or invalid: then the request begins a trace. */
export function parseTraceContext(
  traceparent: string | string[] | undefined,
  tracestate: string | string[] | undefined,
): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > 128) return undefined;
  if (!TRACEPARENT.test(traceparent)) return undefined;
  if (traceparent.length > TRACEPARENT_CHARACTERS && traceparent.startsWith('00-')) return undefined;
  const text = Array.isArray(tracestate) ? tracestate.join(',') : (tracestate ?? '');
  const state = text.length <= MAX_STATE_CHARACTERS && TRACESTATE.test(text) ? text.trim() : '';
  return {
    traceId: {
      first: readBits(traceparent, TRACE_ID_START),
      second: readBits(traceparent, TRACE_ID_START + 8),
      third: readBits(traceparent, TRACE_ID_START + 16),
      fourth: readBits(traceparent, TRACE_ID_START + 24),
    },
    spanId: { high: readBits(traceparent, SPAN_ID_START), low: readBits(traceparent, SPAN_ID_START + 8) },
    isSampled: (readDigit(traceparent, LAST_FLAG) & 1) === 1,
    state,
  };
}

/** The headers that continue the trace on another server. */
export function toTraceHeaders({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${formatTraceId(traceId)}-${formatSpanId(spanId)}-${isSampled ? '01' : '00'}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}

/** 32 hexadecimal digits. */
export function formatTraceId({ first, second, third, fourth }: TraceId): string {
  return toDigits(first) + toDigits(second) + toDigits(third) + toDigits(fourth);
}

/** 16 hexadecimal digits. */
export function formatSpanId({ high, low }: SpanId): string {
  return toDigits(high) + toDigits(low);
}

/** Reads eight lower-case hexadecimal digits without creating a substring for them on each request. */
function readBits(text: string, start: number): number {
  let bits = 0;
  for (let at = start; at < start + 8; at++) bits = (bits << 4) | readDigit(text, at);
  return bits;
}

function readDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= CODE_OF_9 ? code - CODE_OF_0 : code - CODE_OF_A + 10;
}

const CODE_OF_0 = 48;
const CODE_OF_9 = 57;
const CODE_OF_A = 97;

function toDigits(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0');
}

/** Random numbers are drawn for many ids at once, which takes a tenth of the time. */
const pool = new Int32Array(2048);
let position = pool.length;

/** 32 random bits, as a number with a sign. */
export function drawBits(): number {
  if (position === pool.length) {
    randomFillSync(pool);
    position = 0;
  }
  return pool[position++] ?? 0;
}

export function createTraceId(): TraceId {
  return { first: drawBits(), second: drawBits(), third: drawBits(), fourth: drawBits() };
}

export function createSpanId(): SpanId {
  return { high: drawBits(), low: drawBits() };
}
