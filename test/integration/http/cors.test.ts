/** Refusals that a page of another origin can read: otherwise a browser would report a network error. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../../support/gateway.js';
import { openConnection } from '../../support/http/rawConnection.js';

const ORIGIN = 'https://dashboard.example.com';
const callerLimits = { corsOrigins: [ORIGIN], maxBodyBytes: 1024 };
const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerLimits } });

const LOCAL = 'Host: localhost';
const PREFLIGHT = 'Access-Control-Request-Method: POST';

async function ask(origin: string, method: string, path: string, lines: readonly string[], body = '{}') {
  const { send, socket } = await openConnection(gateway.url);
  const head = [`${method} ${path} HTTP/1.1`, `Origin: ${origin}`, ...lines];
  const length = `Content-Length: ${body.length}`;
  const request = [...head.slice(0, 3), 'Content-Type: application/json', length, ...head.slice(3), '', body];
  const [response] = await send(request.join('\r\n'));
  socket.destroy();
  const valuesOf = (name: string) =>
    response?.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  return {
    status: response?.status,
    allowed: valuesOf('access-control-allow-origin'),
    vary: valuesOf('vary'),
  };
}

it.each<[string, number, string[], string?]>([
  ['by another host name', 421, ['Host: evil.example']],
  ['with two credentials', 400, [LOCAL, 'Authorization: a', 'Authorization: b']],
  ['with a body that is too large', 400, [LOCAL], 'x'.repeat(1025)],
  ['with a body that is not JSON', 400, [LOCAL], '{'],
])('a request %s is refused with %i, which pages of allowed origins can read', async (_, status, ...rest) => {
  const [lines, body] = rest;
  const allowed = await ask(ORIGIN, 'POST', '/graphql', lines, body);
  expect(allowed).toEqual({ status, allowed: [ORIGIN], vary: [expect.stringContaining('Origin')] });
  expect(await ask(ORIGIN, 'GET', '/', lines, body)).toMatchObject({ allowed: [] });
  const other = await ask('https://evil.example', 'POST', '/graphql?x', lines, body);
  expect(other).toEqual({ ...allowed, allowed: [] });
});

it('a preflight request by another host name gets a response, so that the refusal of the operation can be read', async () => {
  const lines = ['Host: evil.example', PREFLIGHT];
  for (const path of ['/graphql', '/schema.graphql?x'])
    expect(await ask(ORIGIN, 'OPTIONS', path, lines)).toMatchObject({ status: 204, allowed: [ORIGIN] });
  expect(await ask('https://evil.example', 'OPTIONS', '/graphql', lines)).toMatchObject({
    status: 403,
    allowed: [],
  });
  expect(await ask(ORIGIN, 'OPTIONS', '/graphqls', lines)).toMatchObject({ status: 421, allowed: [] });
});
