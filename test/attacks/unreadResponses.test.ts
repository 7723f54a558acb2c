/** A client that does not read its responses over HTTP occupies a bounded number of bytes. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { WAIT } from '../support/http/live.js';
import { postText } from '../support/http/rawConnection.js';

/** The pipelined responses of one connection exceed its kernel buffers by far. */
const CONNECTIONS = 16;
const REQUESTS = 90;
const SITES = 'sites { nodes { id name devices { id name channels { id name } } streams { id name } } }';
const QUERY = `{ ${['a', 'b', 'c', 'd', 'e', 'f'].map((alias) => `${alias}: ${SITES}`).join(' ')} }`;

let gateway: TestGateway;
const open: Socket[] = [];

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await gateway.stop();
});

/** Sends pipelined requests and reads nothing. */
function sendWithoutReading(): void {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  open.push(socket.pause().on('error', () => undefined));
  socket.write(postText(JSON.stringify({ query: QUERY })).repeat(REQUESTS));
}

async function outcome(): Promise<unknown[]> {
  const { status, body } = await gateway.query('{ __typename }');
  return [status, body.errors?.[0]?.extensions.code];
}

it('is refused when its unread responses occupy half of its budget, until it disconnects', async () => {
  gateway = await startTestGateway({
    sandbox: { siteCount: 20 },
    gateway: { callerLimits: { maxCallerBytes: 1_048_576 } },
  });
  expect(JSON.stringify(await gateway.ask(QUERY)).length).toBeGreaterThan(60_000);
  for (let count = 0; count < CONNECTIONS; count++) sendWithoutReading();
  await expect.poll(outcome, WAIT).toEqual([429, 'RATE_LIMITED']);
  for (const socket of open.splice(0)) socket.destroy();
  await expect.poll(outcome, WAIT).toEqual([200, undefined]);
});
