/** Responses as values, and their transmission. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { WireError } from '../../rest/wire.js';

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

export function sendResponse(response: ServerResponse, { status, headers, body }: SandboxResponse): void {
  const bytes = Buffer.from(body);
  const length = status === 204 ? {} : { 'Content-Length': String(bytes.length) };
  response.writeHead(status, { ...headers, ...length });
  response.end(bytes);
}
