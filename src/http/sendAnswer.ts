/** Writes the answers of operations, with how long they may be kept; each function answers the status that was sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Answers with 304 and no body where the caller has these bytes already. */
export function sendKept(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, requestId, nowMs }: { answer: KeptAnswer; requestId: string; nowMs: number },
): number {
  const set = response.getHeader('Vary');
  const headers = [
    ...ownHeaderList(requestId),
    ...['Cache-Control', `private, max-age=${toMaxAge(answer, nowMs)}`],
    ...['ETag', answer.entityTag],
    ...['Vary', set === undefined ? VARY : `${String(set)}, ${VARY}`],
  ];
  if (isKnownTo(request.headers['if-none-match'], answer)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  headers.push('Content-Type', answer.contentType);
  return end(response, 200, headers, answer.body);
}

/** Text without letters beyond ASCII goes out as it is: to turn it into UTF-8 takes longer than to count. */
function end(response: ServerResponse, status: number, headers: string[], body: string | Buffer): number {
  const bytes = Buffer.byteLength(body);
  headers.push('Content-Length', String(bytes));
  response.writeHead(status, headers);
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
  return status;
}

/** For what is not to be given again. `requestId` is the caller's own: the answer may have been executed for another. */
export function sendOnce(response: ServerResponse, answer: ExecutedAnswer, requestId: string): number {
  const text = nameRequest(answer, requestId);
  const named = Object.entries({ ...answer.headers, 'cache-control': 'no-store' }).flat();
  const headers = [...ownHeaderList(requestId), ...named];
  return end(response, answer.status, headers, text);
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
