/** A sandbox that counts its requests and fails on demand. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../src/lib/clock.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.js';
import type { Interceptor, ReceivedRequest } from '../../../src/sandbox/server/httpServer.js';
import {
  createErrorResponse,
  createJsonResponse,
  type SandboxResponse,
  sendResponse,
} from '../../../src/sandbox/server/response.js';

export interface TestSandbox extends Sandbox {
  /** All requests, including token requests. */
  readonly calls: CallLog;
  readonly faults: FaultInjector;
}

export async function createTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const { clock = systemClock } = options;
  const calls = new CallLog();
  const faults = new FaultInjector();
  const intercept: Interceptor = async (request, response, serve) => {
    const call = { ...request, time: clock.now(), status: 0 };
    calls.add(call);
    const fault = faults.use(call) ?? {};
    await fault.until;
    if (fault.latencyMs !== undefined) await sleep(fault.latencyMs, undefined, { ref: false });
    if (fault.hangBeforeHeaders) return;
    if (fault.destroySocket) return void response.req.socket.destroy();
    // In the meantime the client may have disconnected or the sandbox may have been closed.
    if (response.destroyed) return;
    const result = await serveWithFault(fault, serve);
    call.status = result.status;
    sendWithFault(response, result, fault);
  };
  return Object.assign(await createSandbox({ ...options, intercept }), { calls, faults });
}

export interface CallRecord extends ReceivedRequest {
  /** The time of arrival in milliseconds of the sandbox's clock. */
  readonly time: number;
  /** The HTTP status; 0 before the response. */
  status: number;
}

const MAX_RECORDS = 10_000;

/** The counts include requests that the list no longer has. */
class CallLog {
  #records: CallRecord[] = [];
  #count = 0;
  #counts = new Map<string, number>();

  add(record: CallRecord): void {
    this.#count++;
    this.#counts.set(record.pathTemplate, this.countOf(record.pathTemplate) + 1);
    this.#records.push(record);
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS);
  }

  /** Requests since the last reset. */
  total(): number {
    return this.#count;
  }

  /** Requests to one endpoint since the last reset, by path template. */
  countOf(pathTemplate: string): number {
    return this.#counts.get(pathTemplate) ?? 0;
  }

  /** The newest requests, at most 10,000, in order of arrival. */
  list(): readonly CallRecord[] {
    return this.#records.slice(-MAX_RECORDS);
  }

  reset(): void {
    this.#records = [];
    this.#count = 0;
    this.#counts = new Map();
  }
}

export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  /** The endpoint's path template, or an empty text if none matched. */
  readonly pathTemplate: string;
}

export interface Fault {
  /** A path template, a method with a path template (`GET /v2.0/site`) or a predicate. Default: every request. */
  readonly match?: string | ((target: FaultTarget) => boolean);
  /** The number of requests that it applies to. Default: all until it is removed. */
  readonly times?: number;
  /** Wait for this before anything else. */
  readonly until?: Promise<unknown>;
  /** Milliseconds to wait after that. */
  readonly latencyMs?: number;
  /** The status to send instead of serving the request. From 400 the response has an error body. */
  readonly status?: number;
  /** The `Retry-After` header: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** The body to send instead of the JSON. */
  readonly body?: string | Buffer;
  /** Serves the request, and returns the JSON to send instead. */
  readonly edit?: (json: unknown) => unknown;
  readonly contentType?: string;
  /** Further headers, for example `Location`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Announces the whole length, sends this many bytes of the body, then closes the connection. */
  readonly cutAfterBytes?: number;
  /** Never responds. */
  readonly hangBeforeHeaders?: boolean;
  /** Sends this many bytes of the body, then nothing more. */
  readonly hangAfterBytes?: number;
  /** Closes the connection without a response. */
  readonly destroySocket?: boolean;
}

/** Makes chosen responses slow, wrong, truncated or missing. */
class FaultInjector {
  #faults: { fault: Fault; remaining: number }[] = [];

  /** Adds a fault and returns a function that removes it. Of several faults that match, the first one applies. */
  add(fault: Fault): () => void {
    const entry = { fault, remaining: fault.times ?? Number.POSITIVE_INFINITY };
    this.#faults.push(entry);
    return () => {
      this.#faults = this.#faults.filter((other) => other !== entry);
    };
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault for a request. Counts its use. */
  use(target: FaultTarget): Fault | undefined {
    const entry = this.#faults.find(({ fault, remaining }) => remaining > 0 && isMatch(fault, target));
    if (!entry) return undefined;
    entry.remaining--;
    return entry.fault;
  }
}

function isMatch({ match }: Fault, target: FaultTarget): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(target);
  return match === target.pathTemplate || match === `${target.method} ${target.pathTemplate}`;
}

/** With a fault that replaces the response the request has no effect. With any other fault it is served. */
async function serveWithFault(fault: Fault, serve: () => Promise<SandboxResponse>): Promise<SandboxResponse> {
  const { status, retryAfter, body, contentType } = fault;
  const isReplaced = status !== undefined || body !== undefined;
  const served = isReplaced ? createJsonResponse({}) : await serve();
  const isError = status !== undefined && status >= 400;
  const base = isError ? createErrorResponse(status, 'Injected failure.') : served;
  const headers: Record<string, string> = { ...base.headers, ...fault.headers };
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  const edited = fault.edit && JSON.stringify(fault.edit(JSON.parse(String(base.body))));
  return { status: status ?? base.status, headers, body: body ?? edited ?? base.body };
}

/** Writes the response, truncated if the fault says so. */
function sendWithFault(response: ServerResponse, content: SandboxResponse, fault: Fault): void {
  const sentBytes = fault.cutAfterBytes ?? fault.hangAfterBytes;
  if (sentBytes === undefined) {
    sendResponse(response, content);
    return;
  }
  const bytes = Buffer.from(content.body);
  response.writeHead(content.status, { ...content.headers, 'Content-Length': String(bytes.length) });
  response.flushHeaders();
  response.write(bytes.subarray(0, sentBytes), () => {
    if (fault.cutAfterBytes !== undefined) response.destroy();
  });
}
