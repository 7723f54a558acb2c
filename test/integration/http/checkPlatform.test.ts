/** After the start the gateway warns of API keys whose organizations do not exist on the platform. */
import { expect, it } from 'vitest';
import { startTestGateway, TOKEN_PATH } from '../../support/gateway.js';
import { createKeysFile } from '../../support/http/callers.js';
import { createRecordingLogger, until } from '../../support/http/edgeGateway.js';

async function startWithKeys(organizations: readonly (readonly number[] | '*')[], checksPlatform = true) {
  const keys = await createKeysFile();
  for (const [index, one] of organizations.entries()) {
    await keys.add({ name: `key ${index}`, organizations: one });
  }
  const logger = createRecordingLogger();
  const callerAuth = { kind: 'api-key' as const, file: keys.file };
  const gateway = await startTestGateway({
    sandbox: { siteCount: 2 },
    gateway: { callerAuth, logger, checksPlatform },
  });
  const sql = 'SELECT id FROM organization WHERE account_id = ? ORDER BY id';
  const known = gateway.sql<{ id: number }>(sql, gateway.accountId).map(({ id }) => id);
  const warnings = () =>
    logger.lines.filter(({ level, message }) => level === 'warn' && /organizations/.test(message));
  return { gateway, keys, known, warnings };
}

const organizationCalls = ({ gateway }: Awaited<ReturnType<typeof startWithKeys>>) =>
  gateway.sandbox.calls.countOf('/v2.0/account/organization');

it('the platform check warns of keys and ids without an organization, at the start and when the file changes', async () => {
  const started = await startWithKeys([[999_001], '*', [999_002, 999_003]]);
  const { known, keys, warnings, gateway } = started;
  await until(() => warnings().length > 0);
  expect(warnings()).toEqual([
    {
      level: 'warn',
      message: expect.any(String),
      fields: {
        keys: [
          { name: 'key 0', organizations: [999_001] },
          { name: 'key 2', organizations: [999_002, 999_003] },
        ],
        total: 2,
      },
    },
  ]);
  await keys.remove('key 0');
  await keys.add({ name: 'typo', organizations: [...known, 999_004] });
  await until(() => warnings().length > 1);
  expect(warnings().at(-1)?.fields).toMatchObject({
    keys: [{ name: 'key 2' }, { name: 'typo', organizations: [999_004] }],
  });
  expect(gateway.sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
});

it('the platform check logs nothing for keys whose organizations exist', async () => {
  const started = await startWithKeys([]);
  const { known, keys, warnings } = started;
  await keys.add({ name: 'good', organizations: known });
  await until(() => organizationCalls(started) > 0);
  await keys.add({ name: 'bad', organizations: [999_001] });
  await until(() => warnings().length > 0);
  expect(warnings().map(({ fields }) => fields)).toEqual([
    { keys: [{ name: 'bad', organizations: [999_001] }], total: 1 },
  ]);
});

it('the platform check truncates a long line', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => 900_000 + index);
  const { warnings } = await startWithKeys(Array.from({ length: 30 }, () => ids));
  await until(() => warnings().length > 0);
  const [warning] = warnings();
  expect(warning?.fields).toMatchObject({ total: 30 });
  expect(JSON.stringify(warning).length).toBeLessThan(5000);
});

it('the platform check makes no REST call for keys of the whole account', async () => {
  const started = await startWithKeys(['*']);
  await until(() => started.gateway.sandbox.calls.countOf(TOKEN_PATH) > 0);
  await started.gateway.stop();
  expect(organizationCalls(started)).toBe(0);
});
