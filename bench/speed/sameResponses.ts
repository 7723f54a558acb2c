/** Sends every operation to every server before the measurements, and fails when the data differ. */
import { isDeepStrictEqual } from 'node:util';
import type { Mode } from './cells.js';
import type { Contestant } from './contestants.js';
import { withNumber } from './load/requestTemplate.js';
import type { Workload } from './workloads.js';

const MODES: readonly Mode[] = ['hot', 'warm', 'cold'];

/** Sends one request and returns the body. Throws on an error. */
export async function fetchBody(
  { name, targetFor, requestFor, start }: Contestant,
  workload: Workload,
  mode: Mode,
  number = 0,
): Promise<string> {
  const { method, path, headers, body } = requestFor(workload, mode);
  const content = body === undefined ? {} : { body: withNumber(body, number) };
  const response = await fetch(`http://127.0.0.1:${targetFor(mode).port}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...content,
  });
  const text = await response.text();
  if (response.status === 200 && text.startsWith(start) && !text.includes('"errors":')) return text;
  throw new Error(`${name} responds to ${workload.name} with ${response.status} ${text.slice(0, 500)}`);
}

/** Throws unless the contestant returns the data of `bodies` for every workload in every mode. */
export async function checkResponses(
  contestant: Contestant,
  workloads: readonly Workload[],
  bodies: ReadonlyMap<string, string>,
): Promise<void> {
  for (const workload of workloads) {
    const data = dataOf(bodies.get(workload.name) ?? '{}');
    for (const [index, mode] of MODES.entries()) {
      const body = await fetchBody(contestant, workload, mode, index + 1);
      if (isDeepStrictEqual(dataOf(body), data)) continue;
      const texts = `${JSON.stringify(dataOf(body)).slice(0, 600)}\ninstead of\n${JSON.stringify(data).slice(0, 600)}`;
      throw new Error(`${contestant.name} returns other data for ${workload.name} (${mode}):\n${texts}`);
    }
  }
}

function dataOf(body: string): unknown {
  return (JSON.parse(body) as { data?: unknown }).data;
}

/** The gateway's response bodies as reference for the other servers. A null would mean that the stub lacks data. */
export async function gatewayBodies(
  gateway: Contestant,
  workloads: readonly Workload[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const workload of workloads) {
    const text = await fetchBody(gateway, workload, 'hot');
    if (text.includes('null')) throw new Error(`The response of ${workload.name} has a null.`);
    bodies.set(workload.name, text);
  }
  return bodies;
}
