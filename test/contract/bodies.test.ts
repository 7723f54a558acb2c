/** The bodies that the REST API accepts and refuses; a refused one changes nothing. */
import { describe, expect, it } from 'vitest';
import { refusal, startSandboxRequests } from '../support/sandbox/sandboxRequests.js';

const { ask } = await startSandboxRequests();

describe('the REST API', () => {
  const path = '/v2.0/site/customAttributes';

  it.each([
    ['', 'JSON'],
    ['{', 'JSON'],
    ['null', 'attributes'],
    ['[]', 'attributes'],
    ['{"attributes":{}}', 'attributes'],
    ['{"attributes":[1]}', 'attributes[0]'],
    ['{"attributes":[{"id":"501","parent_id":16801,"value":"x"}]}', 'attributes[0].id'],
    ['{"attributes":[{"id":501,"parent_id":0,"value":"x"}]}', 'attributes[0].parent_id'],
    ['{"attributes":[{"id":501,"parent_id":16801,"value":5}]}', 'attributes[0].value'],
    [`{"attributes":[{"id":501,"parent_id":16801,"value":"${'x'.repeat(257)}"}]}`, 'attributes[0].value'],
  ])('refuses %.60s', async (body, name) => {
    const { status, message } = await refusal(await ask(path, { method: 'POST', body }));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it('refuses a body of more than a mebibyte', async () => {
    const response = await ask(path, { method: 'POST', body: 'x'.repeat(1_100_000) });
    expect(await refusal(response)).toMatchObject({ status: 413 });
  });

  it('writes all values or none', async () => {
    const before = await (await ask(path)).text();
    const good = { id: 501, parent_id: 16801, value: 'must not stay' };
    for (const [bad, name] of [
      [{ ...good, id: 99 }, 'attributes[1].id'],
      [{ ...good, id: 503 }, 'attributes[1].id'], // a stream's attribute
      [{ ...good, parent_id: 99 }, 'attributes[1].parent_id'],
    ] as const) {
      const body = JSON.stringify({ attributes: [good, bad] });
      const { status, message } = await refusal(await ask(path, { method: 'POST', body }));
      expect(status).toBe(404);
      expect(message).toContain(name);
    }
    expect(await (await ask(path)).text()).toBe(before);
  });

  it.each([
    [{}, 'levels'],
    [{ levels: [{}] }, 'levels[0].display_name'],
    [{ levels: Array.from({ length: 101 }, () => ({ display_name: 'a' })) }, 'levels must hold at most 100'],
    [{ levels: [{ display_name: 'x'.repeat(257) }] }, 'levels[0].display_name'],
    [{ levels: [{ display_name: 'a' }, { display_name: 'b' }] }, 'levels[0].upper_limit'],
    [level({ upper_limit: 5 }, { upper_limit: 5 }), 'levels[1].upper_limit'],
    [level({ upper_limit: '5' }), 'levels[0].upper_limit'],
    [level({ sample_interval: 29 }), 'levels[0].sample_interval'],
    [level({ false_alarm_filter: 4294967296 }), 'levels[0].false_alarm_filter'],
    [level({ transmission_interval: 'often' }), 'levels[0].transmission_interval'],
    [level({ transmit_immediately: 'yes' }), 'levels[0].transmit_immediately'],
    [level({ notification_actions: [{ type: 'fax' }] }), 'levels[0].notification_actions[0].type'],
    [
      level({ output_actions: [{ type: 'set_up', channel_num: 16 }] }),
      'levels[0].output_actions[0].channel_num',
    ],
    [
      level({ sample_actions: [{ type: 'single', stream_id: 88001, sample_group_id: 2 }] }),
      'sample_group_id',
    ],
    [level({ sample_actions: [{ type: 'single', stream_id: 4 }] }), 'sample_actions'],
  ])('refuses the threshold %j', async (body, name) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const { status, message } = await refusal(await ask('/v2.0/stream/88001/threshold', init));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it('fills in the missing fields of a level', async () => {
    const body = JSON.stringify(level({ upper_limit: 2, comment: 'ä' }, { lower_limit: 99 }));
    expect((await ask('/v2.0/stream/88001/threshold', { method: 'POST', body })).status).toBe(204);
    const defaults = {
      false_alarm_filter: 0,
      sample_interval: 300,
      transmission_interval: 'normal',
      transmit_immediately: false,
      notification_actions: [],
      output_actions: [],
      sample_actions: [],
    };
    expect(await (await ask('/v2.0/stream/88001/threshold')).json()).toEqual({
      levels: [
        { display_name: 'Level 0', lower_limit: null, upper_limit: 2, comment: 'ä', ...defaults },
        { display_name: 'Level 1', lower_limit: 2, upper_limit: null, comment: '', ...defaults },
      ],
    });
  });

  function level(...levels: object[]) {
    return { levels: levels.map((one, index) => ({ display_name: `Level ${index}`, ...one })) };
  }
});
