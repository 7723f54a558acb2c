/**
 * Posts batches to a collector over one connection that stays open. Uses `node:http`, because `fetch` takes ten
 * times as long.
 */
import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';

export class CollectorConnection {
  readonly #url: URL;
  readonly #agent: Agent;

  constructor(url: string) {
    this.#url = new URL(url);
    const { Agent } = this.#module;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  get #module() {
    return this.#url.protocol === 'https:' ? https : http;
  }

  /**
   * Sends a body of several parts, which must not change before the promise settles. Rejects if there is no whole response
   * before `endMs` of `performance.now()`.
   */
  async post(headers: Headers, body: readonly Uint8Array[], endMs: number): Promise<CollectorResponse> {
    const first = await this.#send(headers, body, endMs);
    if (first.status !== undefined) return first;
    // The collector closed the idle connection just as the batch was sent, so the batch did not reach it.
    const second = first.isStale ? await this.#send(headers, body, endMs) : first;
    if (second.status !== undefined) return second;
    throw second.error;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(headers: Headers, body: readonly Uint8Array[], endMs: number): Promise<Attempt> {
    const length = body.reduce((total, part) => total + part.length, 0);
    return new Promise((resolve) => {
      const request = this.#module.request(this.#url, {
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'Content-Length': String(length) },
      });
      // Uses a timer, because an `AbortSignal` for each batch takes as long as sending its bytes.
      const timer = setTimeout(
        () => request.destroy(new Error('Timeout')),
        Math.max(endMs - performance.now(), 0),
      );
      const finish = (attempt: Attempt) => {
        clearTimeout(timer);
        resolve(attempt);
      };
      const fail = (error: Error) => finish({ error, isStale: isStale(request, error) });
      request.on('error', fail);
      request.on('response', (response: IncomingMessage) => {
        response.on('error', fail);
        const { statusCode: status = 0, headers } = response;
        const retryAfterMs = toDelayMs(headers['retry-after']);
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length <= MAX_BODY_BYTES) chunks.push(chunk);
        });
        response.on('end', () =>
          finish({
            status,
            contentType: headers['content-type'] ?? '',
            retryAfterMs,
            body: Buffer.concat(chunks),
          }),
        );
      });
      for (const part of body) request.write(part);
      request.end();
    });
  }
}

export interface CollectorResponse {
  status: number;
  contentType: string;
  /** NaN if the collector names neither a number of seconds nor a date. */
  retryAfterMs: number;
  /** The first part of a long body. */
  body: Buffer;
}

/** Longer than a message of OTLP, which has a number and a string. */
const MAX_BODY_BYTES = 64 * 1024;

type Headers = Readonly<Record<string, string>>;
type Attempt = CollectorResponse | { status?: undefined; error: Error; isStale: boolean };

function toDelayMs(retryAfter = ''): number {
  const seconds = retryAfter === '' ? Number.NaN : Number(retryAfter);
  if (!Number.isNaN(seconds)) return seconds * 1000;
  return Math.max(0, Date.parse(retryAfter) - Date.now());
}

function isStale({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return reusedSocket && error.code === 'ECONNRESET';
}
