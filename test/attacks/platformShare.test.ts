/** A caller with many operations at once, which wait for the platform. */
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startStillGateway, type TestGateway } from '../support/gateway.js';
import { WAIT } from '../support/http/live.js';
import { metricIn, readMetrics } from '../support/http/metrics.js';
import { createGate } from '../support/waiting.js';

const OTHER_ADDRESS = '127.0.0.2';
/** Devices of the operation of the other caller. */
const OTHER_DEVICES = 4;

let gateway: TestGateway;
let deviceIds: string[];

beforeAll(async () => {
  gateway = await startStillGateway({
    sandbox: { siteCount: 20 },
    gateway: { resilience: { maxConcurrent: 2 } },
  });
  const { devices } = await gateway.ask<{ devices: { nodes: { id: string }[] } }>(
    '{ devices { nodes { id } } }',
  );
  deviceIds = devices.nodes.map(({ id }) => id);
});

afterAll(() => gateway.stop());

/** Takes two calls for each device, past the cache. */
function send(ids: readonly string[], localAddress: string): Promise<string> {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Device { logs { nodes { message } } } } }';
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, localAddress };
    const sent = request(`${gateway.url}/graphql`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => resolve(text));
    });
    sent.once('error', reject).end(JSON.stringify({ query, variables: { ids } }));
  });
}

/** Resolves when this many operations are executing and their calls are waiting. */
async function untilExecuting(count: number): Promise<void> {
  const readCount = async () =>
    metricIn(await readMetrics(gateway.url), 'fieldgraph_operations{state="executing"}');
  await vi.waitFor(async () => expect(await readCount()).toBe(count), WAIT);
  for (let turn = 0; turn < 100; turn++) await setImmediate();
}

/** Holds the responses of the platform until the returned function is called. */
function holdResponses(): () => void {
  const { open: respond, opened: until } = createGate();
  const removeFault = gateway.sandbox.faults.add({ until });
  gateway.sandbox.calls.reset();
  return () => {
    removeFault();
    respond();
  };
}

/** The number of calls until the logs of each of these devices have been requested once. */
function callsUntilAll(ids: readonly string[]): number {
  const paths = gateway.restCalls().map(({ path }) => path);
  const positionOf = (id: string) =>
    paths.findIndex((path) => path.includes(`/${id.slice('Device:'.length)}/log`));
  return Math.max(...ids.map(positionOf)) + 1;
}

it('does not hold up the calls of another caller', async () => {
  const respond = holdResponses();
  const [ofMany, ofOther] = [deviceIds.slice(0, -OTHER_DEVICES), deviceIds.slice(-OTHER_DEVICES)];
  const many = ofMany.map((id) => send([id], '127.0.0.1'));
  await untilExecuting(ofMany.length);
  const other = send(ofOther, OTHER_ADDRESS);
  await untilExecuting(ofMany.length + 1);
  respond();
  expect(await other).toMatch(/"message":"/);
  for (const result of await Promise.all(many)) expect(result).toMatch(/"nodes":\[/);
  const position = callsUntilAll(ofOther);
  // Every second call is for the other caller.
  expect(position).toBeLessThan(2 * (2 * OTHER_DEVICES) + 5);
  expect(gateway.restCalls().length).toBeGreaterThan(2 * position);
});

it('does not hold up another caller that needs the same data', async () => {
  const respond = holdResponses();
  const ofOther = deviceIds.slice(-OTHER_DEVICES);
  const many = deviceIds.map((id) => send([id], '127.0.0.1'));
  await untilExecuting(deviceIds.length);
  const other = send(ofOther, OTHER_ADDRESS);
  await untilExecuting(deviceIds.length + 1);
  respond();
  expect(await other).toMatch(/"message":"/);
  for (const result of await Promise.all(many)) expect(result).toMatch(/"nodes":\[/);
  // The shared calls are made in the turns of the other caller.
  expect(callsUntilAll(ofOther)).toBeLessThan(2 * (2 * OTHER_DEVICES) + 5);
});
