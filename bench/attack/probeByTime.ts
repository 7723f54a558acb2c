/** Whether the time of a refusal tells how much of a credential is right: the same key, wrong in several ways, in turns. */
import { Agent, request } from 'node:http';

const ROUNDS = 1500;

/** The median microseconds of each probe's refusal, asked one after another over one connection. */
export async function probeByTime(
  url: string,
  probes: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map(Object.keys(probes).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, authorization] of Object.entries(probes)) {
      const startedAtMs = performance.now();
      await ask(url, authorization, agent);
      times.get(name)?.push((performance.now() - startedAtMs) * 1000);
    }
  }
  agent.destroy();
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

function ask(url: string, authorization: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Authorization: authorization };
    const asked = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      response.resume().once('end', resolve).once('error', reject);
    });
    asked.once('error', reject).end('{"query":"{ __typename }"}');
  });
}

function median(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;
}
