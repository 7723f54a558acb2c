/** Runs every operation of docs/questions.md on the sandbox, cold and warm, and compares the REST calls stated there. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxHealthCounters } from '../../../src/config/gatewaySettings.js';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { queryGateway, required, STILL_NOW_MS, startGatewayFor, TOKEN_PATH } from '../../support/gateway.js';
import { createTestSandbox, type TestSandbox } from '../../support/sandbox/testSandbox.js';

interface Question {
  title: string;
  cold: number;
  warm: number;
  operation: string;
}

function readQuestions(): Question[] {
  const text = readFileSync(new URL('../../../docs/questions.md', import.meta.url), 'utf8');
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [, cold, warm] = required(
        /^Cold: (\d+) REST calls?\. Warm: (\d+) REST calls?\.$/m.exec(section),
        section,
      );
      const [, operation] = required(/```graphql\n([\s\S]*?)```/.exec(section), section);
      const [title = ''] = section.split('\n');
      return { title, cold: Number(cold), warm: Number(warm), operation: operation ?? '' };
    });
}

const questions = readQuestions();
/** Past the freshness of samples, and within that of lists. */
const WARM_AFTER_MS = 45_000;
const DAY_MS = 86_400_000;

let sandbox: TestSandbox;
let variables: Record<string, unknown>;

beforeAll(async () => {
  sandbox = await createTestSandbox({
    ...{ siteCount: 40, historyDays: 2, simulatorIntervalMs: false, limits: { tokenRequests: 1000 } },
    clock: { now: () => STILL_NOW_MS },
  });
  const { all } = createQueries(sandbox.database);
  const idsOf = (condition: string) =>
    all<{ id: number }>(
      `SELECT id FROM stream WHERE account_id = (SELECT min(id) FROM account) AND ${condition} ORDER BY id LIMIT 3`,
    ).map(({ id }) => `Stream:${id}`);
  const [device] = all<{ serial_number: string }>('SELECT serial_number FROM device ORDER BY id LIMIT 1');
  const [read] = all<{ tag_ids: string }>(
    `SELECT tag_ids FROM rfid_sample r JOIN stream s ON s.id = r.stream_id
     WHERE account_id = (SELECT min(id) FROM account) ORDER BY r.id DESC LIMIT 1`,
  );
  const [farms] = all<{ id: number }>(
    "SELECT id FROM organization WHERE display_name = 'Open Range Livestock'",
  );
  const midnightMs = Math.floor(STILL_NOW_MS / DAY_MS) * DAY_MS;
  variables = {
    ...{ midnight: midnightMs, weekAgo: midnightMs - 7 * DAY_MS, now: STILL_NOW_MS },
    flow: idsOf("type_display_name = 'Flow'")[0],
    pressure: idsOf("type_display_name = 'Pressure'")[0],
    gate: idsOf("display_name LIKE 'Gate open%'")[0],
    levels: idsOf("display_name = 'Reservoir level'"),
    text: required(device).serial_number.slice(2),
    tag: /\d{15}/.exec(required(read).tag_ids)?.[0],
    organization: `Organization:${required(farms).id}`,
  };
});

afterAll(() => sandbox.close());

/** A gateway with nothing cached. */
function startFresh(now: () => number) {
  const { key, secret } = sandbox.credentials[0];
  const options = { healthCounters: sandboxHealthCounters, livePollMs: 250, clock: { now } };
  return startGatewayFor({ url: sandbox.url, key, secret }, options);
}

function countCalls(): number {
  return sandbox.calls.list().filter(({ path }) => path !== TOKEN_PATH).length;
}

describe('docs/questions.md', () => {
  it('has twenty questions', () => {
    expect(questions).toHaveLength(20);
  });

  it.each(questions)('$title', async ({ cold, warm, operation }) => {
    let nowMs = STILL_NOW_MS;
    const gateway = await startFresh(() => nowMs);
    try {
      const used = Object.entries(variables).filter(([name]) => operation.includes(`$${name}:`));
      const ask = () => queryGateway(gateway.url, operation, Object.fromEntries(used));
      sandbox.calls.reset();
      const first = await ask();
      expect(first.body.errors).toBeUndefined();
      // No site of the sandbox is silent; every other question has an answer.
      const hasAnswer = JSON.stringify(first.body.data).length > 100;
      expect(hasAnswer).toBe(!operation.startsWith('query SilentSites'));
      const coldCalls = countCalls();
      nowMs += WARM_AFTER_MS;
      sandbox.calls.reset();
      expect((await ask()).body.errors).toBeUndefined();
      expect({ cold: coldCalls, warm: countCalls() }).toEqual({ cold, warm });
    } finally {
      await gateway.stop();
    }
  });

  it('reads at most ten levels again in one operation, and no status', async () => {
    let nowMs = STILL_NOW_MS;
    const gateway = await startFresh(() => nowMs);
    try {
      const operation = required(questions[0]).operation;
      const first = await queryGateway(gateway.url, operation);
      // Levels have expired, and can still be used.
      nowMs += 20 * 60_000;
      sandbox.calls.reset();
      expect((await queryGateway(gateway.url, operation)).body).toEqual(first.body);
      const templates = sandbox.calls.list().map(({ pathTemplate }) => pathTemplate);
      expect(templates.filter((template) => template.endsWith('/threshold'))).toHaveLength(10);
      expect(templates.filter((template) => template.endsWith('/status'))).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
