/** A caller who asks the same thing at a steady pace, whether it is answered or not, and notes how long each answer takes. */
import { Agent, request } from 'node:http';

export interface NormalCaller {
  url: string;
  headers: Readonly<Record<string, string>>;
  query: string;
  perSecond: number;
}

/** The milliseconds of each answer, from the moment that it was due to be asked. Rejects where one is no answer. */
export async function askSteadily(caller: NormalCaller, forMs: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const stepMs = 1000 / caller.perSecond;
  const startedAtMs = performance.now();
  const answers: Promise<number>[] = [];
  while (answers.length * stepMs < forMs) {
    const dueAtMs = startedAtMs + answers.length * stepMs;
    await sleepUntil(dueAtMs);
    answers.push(ask(caller, agent).then(() => performance.now() - dueAtMs));
  }
  const times = await Promise.all(answers);
  agent.destroy();
  return times;
}

function sleepUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())));
}

function ask({ url, headers, query }: NormalCaller, agent: Agent): Promise<void> {
  const body = JSON.stringify({ query });
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/graphql`,
      { agent, method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        if (response.statusCode === 200 && !text.startsWith('{"errors"')) resolve();
        else reject(new Error(`The normal caller was told: ${text.slice(0, 300)}`));
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}
