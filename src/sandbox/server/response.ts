/** Responses as values, and their transmission with or without a fault. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { WireError } from '../../rest/wire.js';
import type { HttpError } from '../httpError.js';
import type { Fault } from './faultInjector.js';

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export function createJsonResponse(
  value: unknown,
  status = 200,
  headers: SandboxResponse['headers'] = {},
): SandboxResponse {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function createEmptyResponse(headers: SandboxResponse['headers'] = {}): SandboxResponse {
  return { status: 204, headers, body: '' };
}

export function createErrorResponse(
  status: number,
  message: string,
  headers: SandboxResponse['headers'] = {},
): SandboxResponse {
  const error: WireError = { message, request_id: randomUUID() };
  return createJsonResponse(error, status, headers);
}

export function toErrorResponse({ status, message, headers }: HttpError): SandboxResponse {
  return createErrorResponse(status, message, headers);
}

/** Applies a fault's status, headers and body. */
export function withFault(original: SandboxResponse, fault: Fault): SandboxResponse {
  const { status, retryAfter, body, contentType, hugeBodyBytes } = fault;
  const base =
    status !== undefined && status >= 400 ? createErrorResponse(status, 'Injected failure.') : original;
  const headers: Record<string, string> = { ...base.headers, ...fault.headers };
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  const huge = hugeBodyBytes === undefined ? undefined : Buffer.alloc(hugeBodyBytes, ' ');
  return { status: status ?? base.status, headers, body: body ?? huge ?? base.body };
}

/** Writes the response, truncated where the fault says so. */
export function sendResponse(response: ServerResponse, content: SandboxResponse, fault?: Fault): void {
  const bytes = Buffer.from(content.body);
  const length = content.status === 204 ? {} : { 'Content-Length': String(bytes.length) };
  response.writeHead(content.status, { ...content.headers, ...length });
  if (fault?.cutAfterBytes !== undefined) {
    response.write(bytes.subarray(0, fault.cutAfterBytes), () => response.destroy());
  } else if (fault?.hangAfterBytes !== undefined) {
    response.flushHeaders();
    response.write(bytes.subarray(0, fault.hangAfterBytes));
  } else {
    response.end(bytes);
  }
}
