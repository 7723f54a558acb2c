/** Subscribers of several workers: one poll of the platform for all, each event once for each, even when a worker exits. */
import { createClient } from 'graphql-sse';
import { Agent, fetch } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { find } from '../../cli/startedProcess.js';
import { required } from '../../support/gateway.js';
import {
  expectSamplesBesideEvents,
  expectSharedPoll,
  LISTEN_BARE,
  type Listener,
  listen,
  SCALARS,
  WAIT,
} from '../../support/http/live.js';
import { WAIT_MS } from '../../support/waiting.js';
import { startWorkerGateway, type WorkerGateway } from '../../support/workers/workers.js';

const TOKEN_SECONDS = 86_400;

/** The worker of the first subscriber polls for all, and its log says so. */
async function startLiveWorkers() {
  const gateway = await startWorkerGateway({
    sandbox: { tokenLifetimeSeconds: TOKEN_SECONDS },
    environment: { LIVE_POLL_SECONDS: '1', LOG_LEVEL: 'debug' },
  });
  const { all, run, transaction } = createQueries(gateway.sandbox.database);
  const streamId = required(all<{ id: number }>('SELECT min(stream_id) AS id FROM scalar_sample')[0]).id;

  function newestId(): number {
    return required(all<{ id: number }>('SELECT max(id) AS id FROM scalar_sample')[0]).id;
  }

  /** Adds this many samples now; returns their ids in the form of the graph. */
  function append(count: number): string[] {
    const first = newestId() + 1;
    const ids = Array.from({ length: count }, (_, index) => first + index);
    const at = Math.floor(Date.now() / 1000);
    transaction(() => {
      for (const id of ids) run('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)', id, streamId, at, 1);
    });
    return ids.map((id) => `ScalarSample:${streamId}:${id}`);
  }

  return { ...gateway, newestId, append };
}

/** Polls that continued after a sample. */
const pollsFrom = ({ sandbox }: WorkerGateway, id: number) =>
  sandbox.calls
    .list()
    .filter(({ pathTemplate, query }) => pathTemplate === SCALARS && query['sampleID'] === String(id)).length;

const heardAll = (listeners: readonly Listener[], ids: readonly string[]) =>
  vi.waitFor(() => {
    for (const listener of listeners) expect(listener.ids()).toEqual(ids);
  }, WAIT);

/**
 * Subscribes one after the other, so that each is on the next worker; they are active when the first sample arrives.
 */
async function listenOnEach(gateway: Awaited<ReturnType<typeof startLiveWorkers>>, count: number) {
  const listeners: Listener[] = [];
  for (let index = 0; index < count; index++) {
    const listener = listen(gateway.url, { kinds: ['SCALAR'] }, LISTEN_BARE);
    listeners.push(listener);
    await vi.waitFor(
      () => {
        gateway.append(1);
        expect(listener.samples.length).toBeGreaterThan(0);
      },
      { timeout: WAIT_MS, interval: 200 },
    );
  }
  const [last] = gateway.append(1);
  await vi.waitFor(() => {
    for (const listener of listeners) expect(listener.ids().at(-1)).toBe(last);
  }, WAIT);
  for (const { samples } of listeners) samples.length = 0;
  return listeners;
}

describe('subscribers of two workers', () => {
  it('share one poll, and receive each sample once', async () => {
    const gateway = await startLiveWorkers();
    const listeners = await listenOnEach(gateway, 4);
    const sent: string[] = [];
    await expectSharedPoll(async () => {
      const before = gateway.newestId();
      gateway.sandbox.calls.reset();
      sent.push(...gateway.append(5));
      await heardAll(listeners, sent);
      return pollsFrom(gateway, before);
    });
  });

  it('are notified once that the platform refuses the poll, and continue when it accepts it', async () => {
    const gateway = await startLiveWorkers();
    const listeners = await listenOnEach(gateway, 4);
    const mend = gateway.sandbox.faults.add({
      match: ({ pathTemplate }) => pathTemplate === SCALARS,
      status: 404,
    });
    const ids = gateway.append(2);
    const errorCounts = () => listeners.map(({ errors }) => errors.length);
    await vi.waitFor(() => expect(errorCounts()).toEqual([1, 1, 1, 1]), WAIT);
    mend();
    await heardAll(listeners, ids);
    expect(errorCounts()).toEqual([1, 1, 1, 1]);
  });

  it('can query any worker for the samples of their events', async () => {
    const gateway = await startLiveWorkers();
    const [listener] = await listenOnEach(gateway, 1);
    const asks = Array.from({ length: 4 }, () => gateway.connect().ask);
    await expectSamplesBesideEvents(asks, () => gateway.append(1)[0], required(listener));
    await required(listener).leave();
    // Workers that followed the poll for another worker do not poll for each other.
    await vi.waitFor(async () => {
      const { text } = await gateway.connect().get('/metrics');
      expect(text).toContain('fieldgraph_polls_total');
      expect(text).not.toMatch(/^fieldgraph_poll_lag_seconds\{/m);
    }, WAIT);
  });

  it('lose nothing when the polling worker exits: the other continues at its position', async () => {
    const gateway = await startLiveWorkers();
    const [first, second] = await listenOnEach(gateway, 2);
    const leader = Number(find(gateway.process.stderr, /"worker":(\d+).*Polling for samples started/));
    const sent = gateway.append(2);
    process.kill(leader, 'SIGKILL');
    sent.push(...gateway.append(3));
    await required(first).ended;
    sent.push(...gateway.append(4));
    await heardAll([required(second)], sent);
    expect(gateway.workerPids()).not.toContain(leader);
  });

  it('lose and repeat nothing when the polling worker hangs and later resumes', async () => {
    const gateway = await startLiveWorkers();
    const [first, second] = (await listenOnEach(gateway, 2)) as [Listener, Listener];
    const leader = Number(find(gateway.process.stderr, /"worker":(\d+).*Polling for samples started/));
    const sent = gateway.append(2);
    await heardAll([first, second], sent);
    process.kill(leader, 'SIGSTOP');
    try {
      sent.push(...gateway.append(3));
      await heardAll([second], sent);
    } finally {
      process.kill(leader, 'SIGCONT');
    }
    await heardAll([first, second], sent);
    sent.push(...gateway.append(2));
    await heardAll([first, second], sent);
    expect(gateway.workerPids()).toContain(leader);
  });

  it('share a stream in single connection mode, whichever worker a request reaches', async () => {
    const gateway = await startLiveWorkers();
    // Each request opens a connection, and connections go to the workers in turn.
    const dispatcher = new Agent({ pipelining: 0 });
    const fetchFn = (address: string, options: object) => fetch(address, { ...options, dispatcher });
    const client = createClient({
      url: `${gateway.url}/graphql`,
      singleConnection: true,
      retryAttempts: 0,
      fetchFn,
    });
    const query = { query: '{ sites { totalCount } }' };
    for (let index = 0; index < 4; index++) {
      expect(await client.iterate(query).next()).toEqual({
        value: { data: { sites: { totalCount: 3 } } },
        done: false,
      });
    }
    const received: string[][] = [[], [], []];
    for (const ids of received) {
      client.subscribe<{ sampleReceived: { id: string } }>(
        { query: LISTEN_BARE, variables: { kinds: ['SCALAR'] } },
        {
          next: ({ data }) => ids.push(required(data).sampleReceived.id),
          error: (error) => ids.push(String(error)),
          complete: () => {},
        },
      );
      await vi.waitFor(
        () => {
          gateway.append(1);
          expect(ids.length).toBeGreaterThan(0);
        },
        { timeout: WAIT_MS, interval: 200 },
      );
    }
    const added = gateway.append(3);
    await vi.waitFor(() => {
      for (const ids of received) expect(ids.slice(-3)).toEqual(added);
    }, WAIT);
    client.dispose();
    await dispatcher.destroy();
  });

  it('resume with `after` on another worker without a loss', async () => {
    const gateway = await startLiveWorkers();
    const [first, second] = await listenOnEach(gateway, 2);
    const heard = gateway.append(2);
    await heardAll([required(first), required(second)], heard);
    await required(second).leave();
    const missed = gateway.append(3);
    await heardAll([required(first)], [...heard, ...missed]);
    const again = [1, 2].map(() =>
      listen(gateway.url, { kinds: ['SCALAR'], after: heard.at(-1) }, LISTEN_BARE),
    );
    await heardAll(again, missed);
    const later = gateway.append(2);
    await heardAll(again, [...missed, ...later]);
  });
});
