/** Runs the built gateway several times in front of one sandbox and one Redis, and lets samples arrive behind it. */
import { systemClock } from '../../../src/lib/clock.js';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { type StartedProcess, start, urlIn } from '../../cli/startedProcess.js';
import { type RedisServer, startRedisServer } from '../cache/redisServer.js';
import { cleanUpAfterTest } from '../cleanUp.js';
import { required } from '../gateway.js';
import { SCALARS } from '../http/live.js';
import { startSandbox } from '../sandbox/sandbox.js';

const TOKEN_SECONDS = 86_400;

const servers = new Set<RedisServer>();

cleanUpAfterTest(async () => {
  await Promise.all([...servers].map((server) => server.stop()));
  servers.clear();
});

export interface Replica {
  url: string;
  process: StartedProcess;
}

/** The first replica serves before the next one starts. */
export async function startGateways(count: number, environment: Record<string, string> = {}) {
  const sandbox = await startSandbox({
    siteCount: 3,
    clock: systemClock,
    tokenLifetimeSeconds: TOKEN_SECONDS,
  });
  const redis = await startRedisServer();
  servers.add(redis);
  const [{ key, secret }] = sandbox.credentials;
  const platform = { PLATFORM_URL: sandbox.url, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
  const replicas: Replica[] = [];
  for (let index = 0; index < count; index++) {
    const process = start([], { WORKERS: '1', REDIS_URL: redis.url, ...platform, ...environment });
    replicas.push({ url: urlIn(await process.startupOutput()), process });
  }
  const { all, run, transaction } = createQueries(sandbox.database);
  const streams = all<{ id: number }>(
    'SELECT DISTINCT stream_id AS id FROM scalar_sample ORDER BY id LIMIT 2',
  );
  const streamIdOf = (stream: 0 | 1) => required(streams[stream]).id;

  function newestId(): number {
    return required(all<{ id: number }>('SELECT max(id) AS id FROM scalar_sample')[0]).id;
  }

  return {
    sandbox,
    redis,
    replicas,
    newestId,
    /** Sets the threshold levels of one of two streams. */
    setLevels(levels: readonly object[], stream: 0 | 1): void {
      const streamId = streamIdOf(stream);
      run('DELETE FROM threshold WHERE stream_id = ?', streamId);
      run('INSERT INTO threshold (stream_id, levels) VALUES (?, ?)', streamId, JSON.stringify(levels));
    },
    /** Appends samples of one of two streams; returns their ids as the graph writes them. */
    append(samples: number, value = 1, stream: 0 | 1 = 0): string[] {
      const streamId = streamIdOf(stream);
      const first = newestId() + 1;
      const ids = Array.from({ length: samples }, (_, index) => first + index);
      const at = Math.floor(Date.now() / 1000);
      transaction(() => {
        for (const id of ids) run('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)', id, streamId, at, value);
      });
      return ids.map((id) => `ScalarSample:${streamId}:${id}`);
    },
    /** Calls that read the last hour of the queue: one for each process that polls or follows. */
    readsOfLastHour: () =>
      sandbox.calls
        .list()
        .filter(({ pathTemplate, query }) => pathTemplate === SCALARS && query['backfillHours'] === '1')
        .length,
    /** Calls that read the queue after a sample. */
    pollsFrom: (id: number) =>
      sandbox.calls
        .list()
        .filter(({ pathTemplate, query }) => pathTemplate === SCALARS && query['sampleID'] === String(id))
        .length,
  };
}
