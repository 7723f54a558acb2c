/** Asks every server every operation once, before anything is timed: whoever answers something else is no rival. */
import { isDeepStrictEqual } from 'node:util';
import type { Mode } from './cells.js';
import type { Contestant } from './contestants.js';
import { withNumber } from './requestTemplate.js';
import type { Workload } from './workloads.js';

const MODES: readonly Mode[] = ['hot', 'warm', 'cold'];

/** The answer's text. Throws where it is no answer, or has errors. */
export async function askOnce(
  { name, targetFor, requestFor, start }: Contestant,
  workload: Workload,
  mode: Mode,
  number = 0,
): Promise<string> {
  const { method, path, headers, body } = requestFor(workload, mode);
  const sent = body === undefined ? {} : { body: withNumber(body, number) };
  const response = await fetch(`http://127.0.0.1:${targetFor(mode).port}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...sent,
  });
  const text = await response.text();
  if (response.status === 200 && text.startsWith(start) && !text.includes('"errors":')) return text;
  throw new Error(`${name} answers ${workload.name} with ${response.status} ${text.slice(0, 500)}`);
}

/** Throws unless the contestant answers every workload, in every mode and variant, with the data given. */
export async function checkAnswers(
  contestant: Contestant,
  workloads: readonly Workload[],
  bodies: ReadonlyMap<string, string>,
): Promise<void> {
  for (const workload of workloads) {
    const data = dataOf(bodies.get(workload.name) ?? '{}');
    for (const [index, mode] of MODES.entries()) {
      const answer = await askOnce(contestant, workload, mode, index + 1);
      if (isDeepStrictEqual(dataOf(answer), data)) continue;
      const texts = `${JSON.stringify(dataOf(answer)).slice(0, 600)}\ninstead of\n${JSON.stringify(data).slice(0, 600)}`;
      throw new Error(`${contestant.name} answers ${workload.name} (${mode}) otherwise:\n${texts}`);
    }
  }
}

function dataOf(answer: string): unknown {
  return (JSON.parse(answer) as { data?: unknown }).data;
}

/** The gateway's answers, against which the others are held. A null in one would be a stub that lacks something. */
export async function gatewayBodies(
  gateway: Contestant,
  workloads: readonly Workload[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const workload of workloads) {
    const text = await askOnce(gateway, workload, 'hot');
    if (text.includes('null')) throw new Error(`Something is missing in the answer of ${workload.name}.`);
    bodies.set(workload.name, text);
  }
  return bodies;
}
