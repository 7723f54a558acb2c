/** A caller that sends the same query at a constant rate and measures the response times. */
import { Agent, request } from 'node:http';

export interface NormalCaller {
  url: string;
  headers: Readonly<Record<string, string>>;
  query: string;
  perSecond: number;
}

/** Returns the milliseconds from each request's due time to its response. Rejects when a request fails. */
export async function sendSteadily(caller: NormalCaller, forMs: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const stepMs = 1000 / caller.perSecond;
  const startedAtMs = performance.now();
  const responses: Promise<number>[] = [];
  while (responses.length * stepMs < forMs) {
    const dueAtMs = startedAtMs + responses.length * stepMs;
    await sleepUntil(dueAtMs);
    responses.push(send(caller, agent).then(() => performance.now() - dueAtMs));
  }
  const times = await Promise.all(responses);
  agent.destroy();
  return times;
}

function sleepUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())));
}

function send({ url, headers, query }: NormalCaller, agent: Agent): Promise<void> {
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
