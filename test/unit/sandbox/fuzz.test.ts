/** Mutated requests: the sandbox never responds with 500, and keeps running. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endpointTable } from '../../../src/sandbox/server/requestHandler.js';
import { startSandbox, tokenFor } from '../../support/sandbox/sandbox.js';

const failures: string[] = [];
const sandbox = await startSandbox({ siteCount: 3, log: (message) => failures.push(message) });
const token = await tokenFor(sandbox.url, 'sandbox', 'sandbox');
const { hostname, port } = new URL(sandbox.url);

/** Without `fetch`, which would normalise the path first. */
function send(method: string, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: token, 'Content-Length': Buffer.byteLength(body) };
    const request = httpRequest({ host: hostname, port, method, path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const oddText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '1',
      '16801',
      '88001',
      '9223372036854775807',
      '9223372036854775808',
      '1e9',
      'NaN',
      'null',
    ],
    ...[
      'true',
      '%00',
      "1' OR '1'='1",
      '../..',
      '{}',
      '946688461',
      '253402300799',
      '999999999999',
      '1.5',
      '0x10',
    ],
    ...['__proto__', 'constructor', '☃', '\u{1F986}', '\u0000', '\ud800', 'a'.repeat(5000)],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer().map(String),
);

function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(...new Set(endpointTable.flatMap((one) => Object.keys(one.parameters)))),
        oddText,
      ),
      oddText,
    ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'));

const body = fc.oneof(
  fc.json(),
  oddText,
  fc
    .record({
      id: fc.oneof(fc.constantFrom(501, 503), fc.jsonValue()),
      parent_id: fc.constantFrom(16801, 88001),
      value: oddText,
    })
    .map((value) => JSON.stringify({ attributes: [value] })),
  fc
    .array(fc.record({ display_name: oddText, upper_limit: fc.oneof(fc.double(), fc.jsonValue()) }), {
      maxLength: 3,
    })
    .map((levels) => JSON.stringify({ levels })),
);

const mutated = fc
  .record({
    endpoint: fc.constantFrom(...endpointTable),
    values: fc.array(oddText, { minLength: 2 }),
    query,
    body,
  })
  .map(({ endpoint, values, query: text, body: content }) => {
    let index = 0;
    const path = endpoint.path.replace(/\{\w+\}/g, () => encode(values[index++ % values.length] ?? ''));
    return { method: endpoint.method, path: `${path}?${text}`, content };
  });

it('the sandbox never responds with 500 to a mutated request', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async ({ method, path, content }) => {
      const status = await send(method, path, method === 'POST' ? content : '');
      expect(status, `${method} ${path}`).toBeLessThan(500);
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 600) },
  );
  expect(failures).toEqual([]);
}, 300_000);

it('the sandbox never responds with 500 to an odd path', async () => {
  const paths = [
    '/%',
    '/%ff',
    '/v2.0/site/%00',
    '/v2.0/device/%2e%2e',
    '/v2.0/device/a%2Fb',
    '/?',
    '//',
    '/v2.0/*',
    '/images/%.png',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH']) {
      expect(await send(method, path, ''), `${method} ${path}`).toBeLessThan(500);
    }
  }
});

it('the sandbox responds with 400 to bytes that are not HTTP, in the format of every refusal', async () => {
  const result = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(result).toMatch(/^HTTP\/1\.1 400 /);
  expect(result).toContain('"request_id"');
});

it('the sandbox survives clients that disconnect within a body', async () => {
  for (let call = 0; call < 5; call++) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const head = `POST /v2.0/site/customAttributes HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}`;
        socket.write(`${head}\r\nContent-Length: 5000\r\n\r\n{"attributes":`);
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on('close', () => resolve());
    });
  }
  expect(await send('GET', '/v2.0/site', '')).toBe(200);
});
