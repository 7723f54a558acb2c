/** Suggestions in errors: fields of items that are queried on a connection. */
import { beforeAll, expect, it } from 'vitest';
import { type AttackTarget, startAttackTarget } from '../../support/http/attackTarget.js';

let target: AttackTarget;
beforeAll(async () => {
  target = await startAttackTarget();
});

it.each([
  [
    '{ sites { name } }',
    'Cannot query field "name" on type "SiteConnection". Did you mean "nodes { name }"?',
  ],
  ['{ sites { nodes { x } } }', 'Cannot query field "x" on type "Site".'],
  ['{ sites { nam } }', 'Cannot query field "nam" on type "SiteConnection".'],
  [
    '{ sites { nodse { name } } }',
    'Cannot query field "nodse" on type "SiteConnection". Did you mean "nodes"?',
  ],
])('%s', async (query, message) => {
  for (const way of ['POST', 'websocket'] as const) {
    const messages = (await target.errorsOf(way, { query })).map((error) => error.message);
    expect(messages).toContain(message);
  }
});
