/** Writes the answers of operations, with how long they may be kept; each function answers the status that was sent. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { isKnownTo, type KeptAnswer, toMaxAge } from './keptAnswer.js';
import { ownHeaderList } from './securityHeaders.js';

/** What an operation came to, before it is written. */
export interface ExecutedAnswer {
  status: number;
  /** As Apollo Server set them. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The same bytes where they may be given again. */
  kept: KeptAnswer | undefined;
  /** Of the request that it was executed for. */
  requestId: string;
}

/** An answer differs by these of a request's headers. */
const VARY = 'Accept, Authorization, X-API-Key';

/** A kept answer, for one who asks now. */
export interface SentAnswer {
  answer: KeptAnswer;
  requestId: string;
  nowMs: number;
}

/** Answers with 304 and no body where the caller has these bytes already. */
export function sendKept(request: IncomingMessage, response: ServerResponse, kept: SentAnswer): number {
  const status = isKnownTo(request.headers['if-none-match'], kept.answer) ? 304 : 200;
  const headers = listKeptHeaders(kept, status, response.getHeader('Vary'));
  response.writeHead(status, headers);
  if (status === 304) response.end();
  else endWith(response, kept.answer.body, kept.answer.bytes);
  return status;
}

/** Names and values in turn. `vary` is what others have said already of what the answer differs by. */
export function listKeptHeaders(
  { answer, requestId, nowMs }: SentAnswer,
  status: 200 | 304,
  vary: OutgoingHttpHeader | undefined,
): string[] {
  const headers = [
    ...ownHeaderList(requestId),
    ...['Cache-Control', `private, max-age=${toMaxAge(answer, nowMs)}`],
    ...['ETag', answer.entityTag],
    ...['Vary', vary === undefined ? VARY : `${String(vary)}, ${VARY}`],
  ];
  if (status === 304) return headers;
  headers.push('Content-Type', answer.contentType, 'Content-Length', String(answer.bytes));
  return headers;
}

/** Text without letters beyond ASCII goes out as it is: to turn it into UTF-8 takes longer than to count. */
function endWith(response: ServerResponse, body: string | Buffer, bytes = Buffer.byteLength(body)): void {
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
}

/** For what is not to be given again. `requestId` is the caller's own: the answer may have been executed for another. */
export function sendOnce(response: ServerResponse, answer: ExecutedAnswer, requestId: string): number {
  const text = nameRequest(answer, requestId);
  const named = Object.entries({ ...answer.headers, 'cache-control': 'no-store' }).flat();
  const bytes = Buffer.byteLength(text);
  const headers = [...ownHeaderList(requestId), ...named, 'Content-Length', String(bytes)];
  response.writeHead(answer.status, headers);
  endWith(response, text, bytes);
  return answer.status;
}

/** What Apollo Server refuses before any plugin of ours runs does not know its request yet. */
function nameRequest({ status, text, requestId: named }: ExecutedAnswer, requestId: string): string {
  if (status < 400 && named === requestId) return text;
  const answer = parseOrUndefined(text);
  if (!answer?.errors) return text;
  const errors = answer.errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return `${JSON.stringify({ ...answer, errors })}\n`;
}

interface FailedAnswer {
  errors?: readonly { extensions?: object }[];
}

function parseOrUndefined(text: string): FailedAnswer | undefined {
  try {
    return JSON.parse(text) as FailedAnswer;
  } catch {
    return undefined;
  }
}
