/** A plain `EventSource` in Chromium: it loses its connection, reconnects by itself, and misses and repeats nothing. */
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { chromiumNote, isWithoutChromium, launchChromium } from '../support/http/chromium.js';
import { until } from '../support/http/edgeGateway.js';
import { anyStream, startLiveGateway, untilListening } from '../support/http/live.js';

const connections = new Set<Socket>();
const closings: (() => void)[] = [];

afterAll(() => {
  for (const close of closings) close();
});

/** A proxy whose connections can be cut. Returns its address. */
async function startProxy(target: string): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      connections.add(socket.on('error', () => undefined));
      socket.once('close', () => {
        client.destroy();
        upstream.destroy();
        connections.delete(socket);
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

it.skipIf(isWithoutChromium)(`an EventSource resumes after its last event${chromiumNote}`, async () => {
  const gateway = await startLiveGateway();
  const proxy = await startProxy(gateway.url);
  const browser = await launchChromium();
  closings.push(() => void browser.close());
  const page = await browser.newPage();
  // An empty page, without the policy of the gateway's pages.
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${proxy}/page`);
  const query = 'subscription { sampleReceived(kinds: [SCALAR]) { id } }';
  await page.evaluate(`
    window.ids = [];
    window.opened = 0;
    const source = new EventSource('/graphql?query=' + encodeURIComponent(${JSON.stringify(query)}));
    source.addEventListener('open', () => { window.opened += 1; });
    source.addEventListener('next', ({ data }) => window.ids.push(JSON.parse(data).data.sampleReceived.id));
  `);
  await untilListening(gateway);
  const received = () => page.evaluate<string[]>('window.ids');
  const stream = anyStream(gateway);
  const ids = gateway.append(stream, [1, 2, 3]);
  await until(async () => (await received()).length === ids.length);
  for (const connection of connections) connection.destroy();
  ids.push(...gateway.append(stream, [4, 5]));
  await until(async () => (await page.evaluate<number>('window.opened')) === 2);
  ids.push(...gateway.append(stream, [6]));
  await until(async () => (await received()).length >= ids.length);
  expect(await received()).toEqual(ids);
});
