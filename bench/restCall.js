/**
 * Measures the CPU time of one REST call, layer by layer, beside undici with `JSON.parse` alone. Runs in one process over
 * the built product, because the difference is a few microseconds. The layers take turns; the tables show medians.
 */
import { createRequire } from 'node:module';
import { Cache } from '../build/cache/cache.js';
import { createCredentialScope, createEntryKey, createKeyBuilder } from '../build/cache/cacheKey.js';
import { createCancellation } from '../build/lib/cancellation.js';
import { silentLogger } from '../build/lib/logger.js';
import { createTokenManager } from '../build/rest/auth/tokenManager.js';
import { ResilientTransport } from '../build/rest/resilience/resilientTransport.js';
import { createRestCaller } from '../build/rest/restCaller.js';
import { createRestClient } from '../build/rest/restClient.js';
import { createTransport } from '../build/rest/transport/transport.js';
import { startStub } from '../dist/bench/speed/stub/stubProcess.js';

const { Pool } = createRequire(import.meta.url)('undici');
const ROUNDS = 9;
const CALLS_PER_ROUND = 2000;
const SITE_ID = 117;
const clock = { now: () => Date.now() };

/** The layers of a call, each with all layers before it. */
function createLayers(url, client, cache, token, transport, resilient) {
  const pool = new Pool(url, { connections: 1 });
  const keys = createKeyBuilder(...keyParts(url));
  const headers = { Authorization: `Bearer ${token}` };
  const callsOf = ({ path, template, load }) => ({
    'undici, `JSON.parse`': async () => {
      const { body } = await pool.request({ path, method: 'GET', headers });
      return JSON.parse(await body.text());
    },
    'transport: axios, connection, timeout': async () =>
      JSON.parse((await transport.send({ method: 'GET', path, headers })).body.toString()),
    'limits, breaker, retries': async () =>
      JSON.parse((await resilient.send({ method: 'GET', path, template, headers })).body.toString()),
    'token, decoded rows': () => load({}),
    'cache: single flight, cancellation, stored': async () => {
      const key = keys.endpointKey('site', template, path);
      const cancellation = createCancellation();
      const loadOnce = async (shared) => ({
        value: await load({ cancellation: shared }),
        bytes: 0,
        isStorable: true,
      });
      return cache.fetch({ key, kind: 'site', noCache: true, cancellation, load: loadOnce });
    },
  });
  return {
    'one site, 168 bytes': callsOf({
      path: `/v2.0/site/${SITE_ID}`,
      template: '/v2.0/site/{siteId}',
      load: (options) => client.site(SITE_ID, options),
    }),
    'all sites, 9 KB': callsOf({
      path: '/v2.0/site',
      template: '/v2.0/site',
      load: (options) => client.sites(options),
    }),
  };
}

function keyParts(url) {
  const scope = createCredentialScope(url, 'bench');
  return [scope, createEntryKey(scope, 'bench')];
}

async function cpuMicroseconds(call, calls) {
  const before = process.cpuUsage();
  for (let count = 0; count < calls; count++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function measure(layers) {
  const results = Object.keys(layers).map((name) => ({ name, rounds: [] }));
  for (const { name } of results) await cpuMicroseconds(layers[name], CALLS_PER_ROUND);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, rounds } of results) rounds.push(await cpuMicroseconds(layers[name], CALLS_PER_ROUND));
  }
  return results.map(({ name, rounds }) => ({ name, median: rounds.sort((a, b) => a - b)[ROUNDS >> 1] }));
}

function toTable(title, results) {
  const rows = results.map(
    ({ name, median }) => `| ${name} | ${median.toFixed(1)} | ${(median / results[0].median).toFixed(2)} |`,
  );
  return [`| ${title} | CPU µs | times undici |`, '| --- | ---: | ---: |', ...rows, ''].join('\n');
}

const SAMPLE_STEP_SECONDS = 300;
const stub = await startStub(Math.floor(Date.now() / 1000 / SAMPLE_STEP_SECONDS) * SAMPLE_STEP_SECONDS);
const parts = { clock, logger: silentLogger };
const transport = createTransport({ baseUrl: stub.url, timeoutMs: 15_000, maxBodyBytes: 1024 * 1024 });
const resilient = new ResilientTransport({ ...parts, transport, random: Math.random });
const token = 'bench';
const requestToken = async () => ({ accessToken: token, expiresIn: 3600 });
const tokens = createTokenManager({ ...parts, requestToken });
const client = createRestClient(createRestCaller({ ...parts, transport: resilient, tokens }));
const tables = createLayers(stub.url, client, new Cache(parts), token, transport, resilient);
for (const [title, layers] of Object.entries(tables)) {
  process.stdout.write(`${toTable(title, await measure(layers))}\n`);
}
stub.stop();
process.exit();
