/** Clients that reset their connection before the gateway reads their request. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { metricIn, readMetrics } from '../support/http/metrics.js';

const BODY = '{"query":"{ __typename }"}';
const REQUESTS = {
  'an operation': `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a websocket':
    'GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
};
const COUNT = 5;

/** The client blocks the event loop of this process, and so that of the gateway, until it has reset all connections. */
const client = `
  const [port, text] = process.argv.slice(1);
  const sendAndReset = () => new Promise((resolve) => {
    const socket = require('node:net').connect(Number(port), '127.0.0.1', () => socket.write(text, () => {
      socket.resetAndDestroy();
      resolve();
    }));
  });
  Promise.all(Array.from({ length: ${COUNT} }, sendAndReset));
`;

it.each(Object.entries(REQUESTS))(
  'connections that are reset before the gateway reads them use up no rate: %s',
  async (_, text) => {
    const rate = { perSecond: 0.001, burst: 2 };
    const { url, ask } = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { callerLimits: { rate, messages: rate } },
    });
    execFileSync(process.execPath, ['-e', client, new URL(url).port, text]);
    // Later than their requests, of which the server reads one after the other.
    for (let round = 0; round < 2; round++) await ask('{ __typename }');
    const metrics = await readMetrics(url);
    expect(metricIn(metrics, 'fieldgraph_operations_refused_total{code="RATE_LIMITED"}')).toBe(0);
  },
);
