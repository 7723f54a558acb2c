/** Sends mutated requests over persistent connections, a few at a time, and checks each response. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { MutatedRequest } from './mutatedRequest.js';

export interface RawResponse {
  /** 0 if the connection ended without a response. */
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const AT_ONCE = 16;
const MAX_FAULTS = 10;
const noResponse: RawResponse = { status: 0, headers: {}, body: '' };

/** The check returns the defect of a response, or undefined. Returns the first defects with their requests. */
export async function sendAll(
  origin: string,
  requests: readonly MutatedRequest[],
  check: (sent: MutatedRequest, result: RawResponse) => string | undefined,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const faults: string[] = [];
  const waiting = requests.values();
  async function sendSome(): Promise<void> {
    for (const sent of waiting) {
      const fault = check(sent, await send(origin, agent, sent));
      if (fault !== undefined && faults.length < MAX_FAULTS) faults.push(`${fault} ${describe(sent)}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  agent.destroy();
  return faults;
}

/** A request whose body ends early closes its connection without waiting, as a broken client does. */
function send(origin: string, agent: Agent, sent: MutatedRequest): Promise<RawResponse> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve) => {
    const outgoing = request({ host, port, agent, method: sent.method, path: sent.path }, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then(
        (body) => resolve({ status, headers, body: body.toString() }),
        () => resolve({ status, headers, body: '' }),
      );
    });
    outgoing.on('error', () => resolve(noResponse));
    for (const [name, value] of sent.headers) outgoing.appendHeader(name, value);
    outgoing.setHeader('Content-Length', sent.body.length + sent.missingBytes);
    if (sent.missingBytes === 0) outgoing.end(sent.body);
    else outgoing.write(sent.body, () => outgoing.destroy());
  });
}

/** Sends arbitrary bytes; returns the response up to the end of the connection. */
export function sendBytes(origin: string, bytes: Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(parseResponse(Buffer.concat(chunks).toString())));
  });
}

function parseResponse(text: string): RawResponse {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  return { status, headers: {}, body: text.slice(text.indexOf('\r\n\r\n') + 4) };
}

function describe({ method, path, headers, body, missingBytes }: MutatedRequest): string {
  const shown = JSON.stringify({ headers, body: body.toString('latin1').slice(0, 600), missingBytes });
  return `${method} ${path.slice(0, 300)} ${shown}`;
}

export function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
