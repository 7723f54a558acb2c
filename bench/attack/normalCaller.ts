/** Callers that send the same query at a constant rate, in turns, and measure the response times. */
import { Agent, request } from 'node:http';

export interface NormalCallers {
  url: string;
  /** The headers of each caller. Each also has an address of its own, so that none exceeds its rate. */
  headers: readonly Readonly<Record<string, string>>[];
  query: string;
  /** Requests per second of all together. */
  perSecond: number;
}

interface Sender {
  agent: Agent;
  headers: Readonly<Record<string, string>>;
}

/** Returns the milliseconds from each request's due time to its response. Rejects when a request fails. */
export async function sendSteadily(callers: NormalCallers, forMs: number): Promise<number[]> {
  const senders = callers.headers.map((headers, index) => ({
    headers,
    agent: new Agent({ keepAlive: true, localAddress: `127.0.0.${FIRST_ADDRESS + index}` }),
  }));
  const stepMs = 1000 / callers.perSecond;
  const startedAtMs = performance.now();
  const responses: Promise<number>[] = [];
  while (responses.length * stepMs < forMs) {
    const dueAtMs = startedAtMs + responses.length * stepMs;
    await sleepUntil(dueAtMs);
    const sender = senders[responses.length % senders.length] as Sender;
    responses.push(send(callers, sender).then(() => performance.now() - dueAtMs));
  }
  const times = await Promise.all(responses);
  for (const { agent } of senders) agent.destroy();
  return times;
}

const FIRST_ADDRESS = 11;

function sleepUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())));
}

function send({ url, query }: NormalCallers, { agent, headers }: Sender): Promise<void> {
  const body = JSON.stringify({ query });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/graphql`,
      { agent, method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        if (response.statusCode === 200 && !text.startsWith('{"errors"')) resolve();
        else reject(new Error(`The normal caller's request failed: ${text.slice(0, 300)}`));
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
