/** Measures whether the time of a rejection reveals which part of a credential is wrong. */
import { Agent, request } from 'node:http';
import { median } from '../shared/statistics.js';

const ROUNDS = 1500;

/** The median microseconds of each probe's rejection. Sends the probes in turn over one connection. */
export async function probeByTime(
  url: string,
  probes: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map(Object.keys(probes).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, authorization] of Object.entries(probes)) {
      const startedAtMs = performance.now();
      await send(url, authorization, agent);
      times.get(name)?.push((performance.now() - startedAtMs) * 1000);
    }
  }
  agent.destroy();
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

function send(url: string, authorization: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Authorization: authorization };
    const outgoing = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      response.resume().once('end', resolve).once('error', reject);
    });
    outgoing.once('error', reject).end('{"query":"{ __typename }"}');
  });
}
