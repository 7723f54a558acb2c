/** Requests that come in bytes that were read before: what is recognised on a connection, and what never is. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRepeatedRequests } from '../../src/http/repeats/repeatedRequests.js';
import { isWholeRequest } from '../../src/http/repeats/wholeRequest.js';
import { openConnection, postText } from '../support/rawConnection.js';

const REQUEST = postText('{"query":"{ a }"}');
const FIRST = postText('{"query":"{ first }"}');
const OTHER = postText('{"query":"{ b }"}');
const HEADERS_MS = 400;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';

const repeats = createRepeatedRequests();
/** Bodies that the parser's requests had. */
let parsed: string[] = [];
let willRepeat = true;
let fails = false;
const server = createServer({ connectionsCheckingInterval: 50 }, (request, response) => {
  answer(request).then(
    (body) => response.end(body),
    () => response.destroy(),
  );
});
server.on('connection', (socket) => repeats.watch(socket, 45_000));
/** Such as no client waits for: it is looked at often, too. */
server.headersTimeout = HEADERS_MS;
server.prependListener('request', repeats.note);
server.on('upgrade', (_request, socket) => {
  repeats.release(socket);
  socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk}`));
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
});
let url: string;

async function answer(request: IncomingMessage): Promise<string> {
  if (request.headers['x-refused']) return 'refused';
  let body = '';
  for await (const chunk of request) body += String(chunk);
  parsed.push(body);
  repeats.remember(request, () => {
    if (fails) throw new Error('It fails.');
    return willRepeat ? { head: HEAD, body: Buffer.from('again') } : undefined;
  });
  return `read ${parsed.length}`;
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // From here on the bytes are known.
  const { send } = await openConnection(url);
  await send(REQUEST);
});

beforeEach(() => {
  parsed = [];
  willRepeat = true;
  fails = false;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Over a connection whose first request has been read; that one is not counted. */
async function bodiesOf(pieces: string | string[], answers = 1): Promise<string[]> {
  const { send } = await openConnection(url);
  await send(FIRST);
  parsed = [];
  return (await send(pieces, answers)).map(({ body }) => body);
}

describe('bytes that were read before', () => {
  it('are answered unread', async () => {
    expect(await bodiesOf(REQUEST)).toEqual(['again']);
    expect(await bodiesOf([REQUEST, REQUEST, REQUEST], 3)).toEqual(['again', 'again', 'again']);
    expect(parsed).toEqual([]);
  });

  it('are read where they are the first of their connection', async () => {
    const { send } = await openConnection(url);
    const bodies = (await send([REQUEST, REQUEST], 2)).map(({ body }) => body);
    expect(bodies).toEqual(['read 1', 'again']);
  });

  it('keep their connection for longer than headers may take', async () => {
    const { send, socket } = await openConnection(url);
    await send(REQUEST);
    for (const until = performance.now() + 4 * HEADERS_MS; performance.now() < until; ) {
      expect((await send(REQUEST)).map(({ status, body }) => [status, body])).toEqual([[200, 'again']]);
    }
    expect(socket.destroyed).toBe(false);
  });

  it('are read where what answers them fails', async () => {
    fails = true;
    expect(await bodiesOf(REQUEST)).toEqual(['read 1']);
  });

  it('are answered between others, which are read', async () => {
    const bodies = await bodiesOf([REQUEST, OTHER, REQUEST], 3);
    expect(bodies).toEqual(['again', 'read 1', 'again']);
    expect(parsed).toEqual(['{"query":"{ b }"}']);
  });

  it('are read where the answer is not to be given again', async () => {
    willRepeat = false;
    expect(await bodiesOf([REQUEST, REQUEST], 2)).toEqual(['read 1', 'read 2']);
  });

  it('are read where they come in pieces, and recognised afterwards', async () => {
    const pieces = [REQUEST.slice(0, 30), REQUEST.slice(30), REQUEST];
    expect(await bodiesOf(pieces, 2)).toEqual(['read 1', 'again']);
  });

  it('are read where two come at once, and so is all that follows', async () => {
    const bodies = await bodiesOf([REQUEST + REQUEST, REQUEST], 3);
    expect(bodies).toEqual(['read 1', 'read 2', 'read 3']);
  });
});

describe('what looks like a request and is none', () => {
  it('as the body of another', async () => {
    const outer = postText(REQUEST);
    const cut = outer.length - REQUEST.length;
    expect(await bodiesOf([outer.slice(0, cut), outer.slice(cut)])).toEqual(['read 1']);
    expect(parsed).toEqual([REQUEST]);
  });

  it('as the body of one that was answered before it came', async () => {
    const outer = postText(REQUEST, { 'X-Refused': '1' });
    const cut = outer.length - REQUEST.length;
    const bodies = await bodiesOf([outer.slice(0, cut), outer.slice(cut), OTHER], 2);
    expect(bodies).toEqual(['refused', 'read 1']);
    expect(parsed).toEqual(['{"query":"{ b }"}']);
  });

  it('as the end of headers that began behind another request', async () => {
    const begun = 'POST /graphql HTTP/1.1\r\nX-Begun: ';
    const bodies = await bodiesOf([OTHER + begun, REQUEST], 2);
    expect(bodies).toEqual(['read 1', 'read 2']);
    expect(parsed).toEqual(['{"query":"{ b }"}', '{"query":"{ a }"}']);
  });

  it('as bytes of another protocol', async () => {
    const { socket, send } = await openConnection(url);
    await send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.write(REQUEST);
    expect(String((await once(socket, 'data'))[0])).toBe(`echo ${REQUEST}`);
  });
});

describe('a request is whole', () => {
  const facts = { complete: true, httpVersion: '1.1', headers: { 'content-length': '17' } };
  const bytes = Buffer.from(REQUEST);

  it('with its headers and as much as they say', () => {
    expect(isWholeRequest(bytes, facts)).toBe(true);
    expect(isWholeRequest(Buffer.concat([bytes, Buffer.from('G')]), facts)).toBe(false);
    expect(isWholeRequest(bytes.subarray(1), facts)).toBe(true);
    expect(isWholeRequest(bytes.subarray(0, -1), facts)).toBe(false);
  });

  it.each([
    { headers: { ...facts.headers, connection: 'close' } },
    { headers: { ...facts.headers, expect: '100-continue' } },
    { headers: { ...facts.headers, upgrade: 'h2c' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { complete: false },
    { httpVersion: '1.0' },
  ])('unless it says more about the connection: %j', (other) => {
    expect(isWholeRequest(bytes, { ...facts, ...other })).toBe(false);
  });
});
