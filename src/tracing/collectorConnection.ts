/** Posts batches to a collector over one connection that stays open. By `node:http`: `fetch` costs ten times the time. */
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

  /** Resolves with the status. Rejects if there is no whole response before the signal. */
  async post(headers: Headers, body: readonly Buffer[], signal: AbortSignal): Promise<number> {
    const first = await this.#send(headers, body, signal);
    if (first.status !== undefined) return first.status;
    // The collector closed an idle connection at the same time: the batch did not reach it.
    const second = first.isStale ? await this.#send(headers, body, signal) : first;
    if (second.status !== undefined) return second.status;
    throw second.error;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(headers: Headers, body: readonly Buffer[], signal: AbortSignal): Promise<Attempt> {
    const bytes = body.reduce((total, { length }) => total + length, 0);
    return new Promise((resolve) => {
      const request = this.#module.request(this.#url, {
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'Content-Length': String(bytes) },
        signal,
      });
      const fail = (error: Error) => resolve({ error, isStale: isStale(request, error) });
      request.on('error', fail);
      request.on('response', (response: IncomingMessage) => {
        response.on('error', fail);
        response.on('end', () => resolve({ status: response.statusCode ?? 0 }));
        response.resume();
      });
      request.cork();
      for (const part of body) request.write(part);
      request.end();
    });
  }
}

type Headers = Readonly<Record<string, string>>;
type Attempt = { status: number } | { status?: undefined; error: Error; isStale: boolean };

function isStale({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return reusedSocket && error.code === 'ECONNRESET';
}
