/** `thresholdStatusChanged` over a websocket: derived from the poll for samples, with few REST calls. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { until as untilTrue } from '../../support/http/edgeGateway.js';
import {
  anyStream,
  LISTEN_BARE,
  type Listener,
  type LiveGateway,
  listen,
  shareGateway,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';
import { metricIn, readMetrics } from '../../support/http/metrics.js';
import { openStream, SSE, untilSubscribed } from '../../support/http/streams.js';
import { makeStreams } from '../../support/samples/generatedStream.js';
import { createGate } from '../../support/waiting.js';

const CHANGES = `subscription ($streams: [ID!], $sites: [ID!], $after: String) {
  sampleReceived: thresholdStatusChanged(streamIds: $streams, siteIds: $sites, after: $after) {
    id: cursor stream { id } previousLevel { name upperLimit } level { name lowerLimit } value sampledAt enteredAt } }`;

const gateway = await startLiveGateway();
const share = shareGateway(gateway);
const streamId = anyStream(gateway);
const LEVELS = '/v2.0/stream/{streamId}/threshold';
const STATUS = '/v2.0/stream/{streamId}/threshold/status';
const EARLIER = '/v2.0/stream/{streamId}/sample/batch';

interface Level {
  display_name: string;
  upper_limit?: number;
  false_alarm_filter?: number;
}

const normal: Level = { display_name: 'Normal', upper_limit: 10 };
const high: Level = { display_name: 'High' };

/** Another client of the platform changes the threshold, without notice to the gateway. */
function setLevels(levels: readonly Level[], stream = streamId, { run }: LiveGateway = gateway): void {
  run('DELETE FROM threshold WHERE stream_id = ?', stream);
  if (levels.length === 0) return;
  run('INSERT INTO threshold (stream_id, levels) VALUES (?, ?)', stream, JSON.stringify(levels));
}

const calls = (template: string, { restCalls }: LiveGateway = gateway) =>
  restCalls().filter(({ pathTemplate }) => pathTemplate === template).length;

/** Begins after the newest sample, so that it need not wait for the poll. */
const begin = (variables: Record<string, unknown> = {}): Listener =>
  share(
    { streams: [`Stream:${streamId}`], after: `ScalarSample:${gateway.newestId()}`, ...variables },
    CHANGES,
  );

/** The names of the levels of the changes so far. */
const namesOf = ({ samples }: Listener) =>
  samples.map((change) => {
    const { previousLevel, level } = change as unknown as Record<'previousLevel' | 'level', { name: string }>;
    return `${previousLevel.name} > ${level.name}`;
  });

const until = (listener: Listener, names: readonly string[]) =>
  vi.waitFor(() => expect(namesOf(listener)).toEqual(names), WAIT);

/** Samples a minute apart, so that each poll may bring several. */
function appendMinutes(...values: number[]): string[] {
  return values.flatMap((value) => {
    gateway.clock.advance(60_000);
    return gateway.append(streamId, [value]);
  });
}

beforeEach(() => {
  // Cached levels of the last test expire.
  gateway.clock.advance(2 * 3_600_000);
  setLevels([normal, high]);
  appendMinutes(5);
});

describe('thresholdStatusChanged', () => {
  it('sends each change once, with the levels, the value and the times', async () => {
    const listener = begin({ after: null });
    await untilListening(gateway);
    const [, id] = appendMinutes(6, 12, 13, 14);
    const sampledAt = new Date(gateway.clock.now() - 2 * 60_000).toISOString().replace('.000Z', 'Z');
    appendMinutes(2);
    await until(listener, ['Normal > High', 'High > Normal']);
    expect(listener.samples[0]).toEqual({
      id: id?.replace('ScalarSample', 'ThresholdStatusChange'),
      stream: { id: `Stream:${streamId}` },
      previousLevel: { name: 'Normal', upperLimit: 10 },
      level: { name: 'High', lowerLimit: 10 },
      value: 12,
      sampledAt,
      enteredAt: sampledAt,
    });
  });

  it.each(['a poll', 'the past'])(
    'sends the changes of the oldest samples of %s before the levels for the newest ones are known',
    async (origin) => {
      const other = anyStream(gateway, 1);
      setLevels([normal, high], other);
      const { open: release, opened: released } = createGate();
      const path = LEVELS.replace('{streamId}', `${other}`);
      const remove = gateway.sandbox.faults.add({
        match: (request) => request.path === path,
        until: released,
      });
      const append = () => {
        gateway.append(streamId, [...Array.from({ length: 63 }, () => 5), 12]);
        gateway.append(other, [12]);
      };
      const streams = [`Stream:${streamId}`, `Stream:${other}`];
      const after = origin === 'the past' ? `ScalarSample:${gateway.newestId()}` : null;
      if (after !== null) append();
      const listener = begin({ streams, after });
      if (after === null) {
        await untilListening(gateway);
        append();
      }
      try {
        await Promise.race([until(listener, ['Normal > High']), listener.ended]);
        expect(listener.errors).toEqual([]);
      } finally {
        remove();
        release();
      }
    },
  );

  it('reads levels once, earlier samples for the past, the status for a suspected change', async () => {
    const listener = begin();
    appendMinutes(5, 6, 7);
    await vi.waitFor(() => expect(calls(EARLIER)).toBe(1), WAIT);
    appendMinutes(5, 6, 7);
    appendMinutes(30);
    await until(listener, ['Normal > High']);
    // The present begins with the last sample of the poll.
    expect([calls(LEVELS), calls(EARLIER), calls(STATUS)]).toEqual([1, 1, 1]);
  });

  it('waits until a level has lasted for its false alarm filter', async () => {
    setLevels([normal, { ...high, false_alarm_filter: 120 }]);
    const listener = begin();
    appendMinutes(12, 12, 5, 12, 12, 12);
    await until(listener, ['Normal > High']);
    const [change] = listener.samples as unknown as { sampledAt: string; enteredAt: string }[];
    expect(Date.parse(change?.sampledAt ?? '') - Date.parse(change?.enteredAt ?? '')).toBe(120_000);
  });

  it('reads the levels again where the platform’s status contradicts them', async () => {
    const listener = begin();
    appendMinutes(5);
    await vi.waitFor(() => expect(calls(EARLIER)).toBe(1), WAIT);
    setLevels([{ ...normal, upper_limit: 50 }, high]);
    gateway.clock.advance(2 * 60_000);
    appendMinutes(30);
    await vi.waitFor(() => expect(calls(LEVELS)).toBe(2), WAIT);
    appendMinutes(60);
    await until(listener, ['Normal > High']);
    expect(listener.samples[0]).toMatchObject({ value: 60 });
  });

  it('sends no change for levels that another client has changed since they were read', async () => {
    const listener = begin();
    appendMinutes(5);
    await vi.waitFor(() => expect(calls(EARLIER)).toBe(1), WAIT);
    setLevels([{ ...normal, upper_limit: 50 }, high]);
    const at = gateway.clock.now();
    gateway.append(streamId, [30]);
    await vi.waitFor(() => expect(calls(LEVELS)).toBe(2), WAIT);
    expect(gateway.clock.now()).toBe(at);
    gateway.append(streamId, [60]);
    await until(listener, ['Normal > High']);
    expect(listener.samples[0]).toMatchObject({ value: 60, level: { lowerLimit: 50 } });
  });

  it('resumes after a change, on another connection, without a loss', async () => {
    const first = begin();
    appendMinutes(12);
    await until(first, ['Normal > High']);
    const after = first.ids()[0];
    await first.leave();
    appendMinutes(5, 20);
    const second = share({ streams: [`Stream:${streamId}`], after }, CHANGES);
    await until(second, ['High > Normal', 'Normal > High']);
    appendMinutes(1);
    await until(second, ['High > Normal', 'Normal > High', 'High > Normal']);
  });

  it('sends those of a site, and of no other stream', async () => {
    const [site] = gateway.sql<{ id: number }>('SELECT site_id AS id FROM stream WHERE id = ?', streamId);
    const ofSite = begin({ streams: null, sites: [`Site:${site?.id}`] });
    const ofOther = share({ streams: [`Stream:${anyStream(gateway, 1)}`] }, CHANGES);
    appendMinutes(12);
    await until(ofSite, ['Normal > High']);
    expect(ofOther.samples).toEqual([]);
  });

  it('resumes those of other streams where the platform refuses the samples of one', async () => {
    const refused = anyStream(gateway, 1);
    setLevels([normal, high], refused);
    // Cached, so that its earlier samples are read.
    await gateway.ask('query ($id: ID!) { stream(id: $id) { threshold { levels { name } } } }', {
      id: `${refused}`,
    });
    gateway.sandbox.faults.add({
      match: ({ path }) => path.startsWith(`/v2.0/stream/${refused}/`),
      status: 403,
    });
    const after = `ScalarSample:${gateway.newestId()}`;
    gateway.append(refused, [12]);
    appendMinutes(12);
    const streams = [`Stream:${refused}`, `Stream:${streamId}`];
    const listener = begin({ streams, after });
    await Promise.race([until(listener, ['Normal > High']), listener.ended]);
    appendMinutes(5);
    await Promise.race([until(listener, ['Normal > High', 'High > Normal']), listener.ended]);
    expect(listener.errors).toEqual([]);
    expect(namesOf(listener)).toEqual(['Normal > High', 'High > Normal']);
    expect(calls(EARLIER)).toBeGreaterThan(1);
  });

  it.each(['RfidSample:1:2', 'Device:1', 'ThresholdStatusChange:', 'garbage'])(
    'refuses to resume after %s',
    async (after) => {
      const listener = share({ after }, CHANGES);
      await listener.ended;
      const message = `after: "${after}" is not a cursor of threshold changes; use the \`cursor\` of an event or of a heartbeat.`;
      expect(listener.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    },
  );
});

describe('the levels that a subscription follows', () => {
  const FOLLOWED = 200;
  /** A connection and its subscription take less than half of it, and 256 bytes for each stream more than the rest. */
  const SMALL_BUDGET = 80_000;
  const OPEN = 'fieldgraph_subscriptions{transport="websocket"}';

  it('count before the first sample, so that further subscriptions are refused', async () => {
    // A connection and its subscription take about 35 KB; the last samples take about 27 KB.
    const own = await startLiveGateway({ gateway: { callerLimits: { maxCallerBytes: 170_000 } } });
    for (const stream of makeStreams(own, 500)) own.append(stream, [5]);
    const listener = listen(own.url, {}, CHANGES);
    await untilSubscribed(own.url, 1);
    await vi.waitFor(async () => {
      const further = listen(own.url, {}, CHANGES);
      const isAccepted = async () => metricIn(await readMetrics(own.url), OPEN) === 2;
      await untilTrue(async () => further.errors.length > 0 || (await isAccepted()));
      await further.leave();
      expect(further.errors).toMatchObject([{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }]);
    }, WAIT);
    await listener.leave();
    await own.stop();
  });

  it.each([
    [
      'count for the caller, whose subscription ends when samples wait in its queue',
      SMALL_BUDGET,
      ['SLOW_CONSUMER'],
    ],
    ['end no subscription of a caller within its budget', 16 * SMALL_BUDGET, []],
  ])('%s', async (_, maxCallerBytes, codes) => {
    const own = await startLiveGateway({
      gateway: { callerLimits: { maxCallerBytes }, trustedProxies: ['127.0.0.1'] },
    });
    const [slow = 0, ...followed] = makeStreams(own, FOLLOWED + 1);
    for (const stream of [slow, ...followed]) setLevels([normal, high], stream, own);
    const listener = listen(own.url, {}, CHANGES);
    await untilListening(own);
    // Another caller, who receives what the poll has delivered.
    const other = await openStream(own.url, {
      query: LISTEN_BARE,
      variables: { kinds: ['SCALAR'] },
      headers: { ...SSE, 'X-Forwarded-For': '192.0.2.1' },
    });
    await untilSubscribed(own.url, 2);
    for (const stream of followed) own.append(stream, [5]);
    await vi.waitFor(() => expect(calls(EARLIER, own)).toBe(FOLLOWED), WAIT);

    // While the levels of one stream are read, samples wait in the queue.
    const { open: release, opened: released } = createGate();
    const path = LEVELS.replace('{streamId}', `${slow}`);
    own.sandbox.faults.add({ match: (request) => request.path === path, until: released });
    own.append(slow, [5]);
    await vi.waitFor(() => expect(calls(LEVELS, own)).toBe(FOLLOWED + 1), WAIT);
    for (const stream of followed.slice(0, 2)) {
      const ids = own.append(stream, [30]);
      await vi.waitFor(() => expect(other.text()).toContain(ids[0]), WAIT);
    }
    release();
    const changes = codes.length > 0 ? ['Normal > High'] : ['Normal > High', 'Normal > High'];
    await until(listener, changes);
    if (codes.length > 0) await listener.ended;
    expect(listener.errors.map(({ extensions }) => extensions.code)).toEqual(codes);
    other.close();
    await listener.leave();
    await own.stop();
  });
});
