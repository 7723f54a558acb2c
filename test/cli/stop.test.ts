/** A stop completes requests. The log says when it begins and when it ends, once for all processes. */
import { describe, expect, it } from 'vitest';
import { TOKEN_PATH } from '../../src/rest/path.js';
import { findFreePort } from '../support/freePort.js';
import { connectSocket } from '../support/http/callers.js';
import { ask, startPlainServer, until } from '../support/http/edgeGateway.js';
import { createGate } from '../support/waiting.js';
import { type StartedProcess, start, urlIn } from './startedProcess.js';

/**
 * A gateway with one websocket and one request, which waits for the gate.
 * @param findUrl resolves with its address. Default: when it has started.
 */
async function startBusy(
  environment: Record<string, string>,
  findUrl = async (gateway: StartedProcess) => urlIn(await gateway.startupOutput()),
) {
  const { open, opened } = createGate();
  let calls = 0;
  const platform = await startPlainServer(async ({ url }, response) => {
    if (url === TOKEN_PATH) {
      response.end(JSON.stringify({ access_token: 't', expires_in: 3600 }));
      return;
    }
    calls += 1;
    await opened;
    response.end('[]');
  });
  const access = { PLATFORM_URL: platform.url, PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' };
  // Without warnings about slow operations, which depend on the load of the machine.
  const gateway = start([], { ...access, LOG_LEVEL: 'info', SLOW_OPERATION_MS: '0', ...environment });
  const url = await findUrl(gateway);
  const socket = connectSocket(url);
  await socket.first('{ __typename }');
  const result = ask(url, '{ sites { totalCount } }').catch(() => 'cut off');
  await until(() => calls === 1);
  const lines = () =>
    gateway.stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { msg: string });
  return { gateway, socket, result, open, lines };
}

/**
 * Like `startBusy`, with two workers. The second one does not start before `openStart` is called.
 * @param script runs in the second worker before it starts.
 */
async function startFirstOfTwo(script: string) {
  const { open: openStart, opened } = createGate();
  const gate = await startPlainServer(async (_, response) => {
    await opened;
    response.end();
  });
  const preload = `import cluster from 'node:cluster'; if (cluster.worker?.id === 2) { await fetch('${gate.url}'); ${script} }`;
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const environment = {
    WORKERS: '2',
    PORT: new URL(url).port,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import data:text/javascript,${encodeURIComponent(preload)}`,
  };
  const accepts = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  const findUrl = async () => {
    await until(accepts);
    return url;
  };
  return { ...(await startBusy(environment, findUrl)), openStart };
}

describe('the log of a stop', () => {
  it.each([['1'], ['2']])(
    'has a line for its beginning and one for its end, with WORKERS=%s',
    async (WORKERS) => {
      const { gateway, result, open, lines } = await startBusy({ WORKERS });
      gateway.kill('SIGHUP');
      await until(() => lines().length > 0);
      open();
      expect(await result).toEqual({ data: { sites: { totalCount: 0 } } });
      expect(await gateway.ended).toBe(0);
      const time = expect.any(String);
      expect(lines()).toEqual([
        { level: 'info', time, signal: 'SIGHUP', requests: 1, websockets: 1, msg: 'Stopping' },
        { level: 'info', time, drainMs: expect.any(Number), cutOff: 0, msg: 'Stopped' },
      ]);
    },
  );

  it('follows a signal that arrives while a worker hangs before it has started; requests of the other one complete', async () => {
    const { gateway, result, open, lines } = await startFirstOfTwo('');
    gateway.kill('SIGTERM');
    await Promise.race([until(() => lines().length > 0), gateway.ended]);
    open();
    expect(await result).toEqual({ data: { sites: { totalCount: 0 } } });
    expect(await gateway.ended).toBe(0);
    expect(lines()).toMatchObject([
      { signal: 'SIGTERM', requests: 1, websockets: 1, msg: 'Stopping' },
      { cutOff: 0, msg: 'Stopped' },
    ]);
  });

  it('does not blame the platform for a token request that was cut off', async () => {
    let requests = 0;
    const { open, opened } = createGate();
    const platform = await startPlainServer(async (_, response) => {
      requests += 1;
      await opened;
      response.end();
    });
    const access = { PLATFORM_URL: platform.url, PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' };
    const gateway = start([], { ...access, LOG_LEVEL: 'info' });
    await gateway.startupOutput();
    await until(() => requests === 1);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    open();
    expect(gateway.stderr.match(/"msg":"[^"]+"/g)).toEqual(['"msg":"Stopping"', '"msg":"Stopped"']);
  });

  it.each([
    // The time for the last spans is tested with the exporter: a primary kills workers that are late on a busy machine.
    ['1', 'a collector that hangs'],
    ['2', 'no collector'],
  ])('counts the responses that could not be completed, with WORKERS=%s and %s', async (WORKERS) => {
    const collector = await startPlainServer(() => undefined);
    const { gateway, result, lines } = await startBusy({
      WORKERS,
      ...(WORKERS === '1' && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    });
    gateway.kill('SIGTERM');
    expect(await result).toMatchObject({
      errors: [{ extensions: { code: 'STOPPING', retryAfterMs: expect.any(Number) } }],
    });
    expect(await gateway.ended).toBe(0);
    // Between them, the log has the operation that failed.
    const find = (name: string) => lines().find(({ msg }) => msg === name);
    expect(['Stopping', 'Stopped'].map(find)).toMatchObject([
      { msg: 'Stopping', signal: 'SIGTERM', requests: 1 },
      { msg: 'Stopped', cutOff: 1 },
    ]);
  });
});

describe('a worker that exits during the start', () => {
  it('completes the requests of the other one, and says why the gateway ends', async () => {
    const { gateway, socket, result, open, openStart } = await startFirstOfTwo('process.exit(7)');
    openStart();
    await socket.closed;
    open();
    expect(await result).toEqual({ data: { sites: { totalCount: 0 } } });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toBe('A worker exited while it started, with 7.\n');
  });
});
