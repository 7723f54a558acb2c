/** Refusals without a credential do not hide those of known callers, and names in the log are names. */
import { expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createDocumentStore } from '../../../../src/graphql/documents/documentStore.js';
import { admitOperation } from '../../../../src/graphql/limits/admitOperation.js';
import { createOperationGuard } from '../../../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../../../src/graphql/limits/operationLimits.js';
import { createSchema } from '../../../../src/graphql/schema.js';
import { createRefusalReporter } from '../../../../src/http/requests/refusalReporter.js';
import { silentLogger } from '../../../../src/lib/logger.js';

it('callers without a credential use up no keys of the other lines', () => {
  const lines: object[] = [];
  const logger = { ...silentLogger, info: (fields: object) => void lines.push(fields) };
  const reportRefusal = createRefusalReporter(logger, { now: () => 0 }, () => undefined);
  const refuse = (code: 'UNAUTHENTICATED' | 'COST_TOO_HIGH', address: string) =>
    reportRefusal({
      error: new GatewayError(code, 'Refused.'),
      transport: 'http',
      address,
      hasNoCredential: code === 'UNAUTHENTICATED',
    });
  for (let host = 0; host < 250; host++) refuse('UNAUTHENTICATED', `192.0.2.${host}`);
  for (let host = 0; host < 20; host++) refuse('COST_TOO_HIGH', `198.51.100.${host}`);
  expect(lines).toHaveLength(20);
});

it.each([
  ['a name', 'Report', 'Report'],
  ['control characters', 'x\u009b31m\u202eevil', undefined],
])('the operation of a refusal with %s', (_, operationName, logged) => {
  const documents = createDocumentStore(false);
  const guard = createOperationGuard(createSchema(), { ...defaultOperationLimits, maxTokens: 1 });
  const admit = () =>
    admitOperation(
      { guard, documents },
      { query: '{ __typename }', operationName },
      { supportsSubscriptions: false },
    );
  expect(admit).toThrow(expect.objectContaining({ code: 'TOO_MANY_TOKENS', operation: logged }));
});
