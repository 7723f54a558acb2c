/** The public part of each kind of error, and its private part. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createErrorReporter, formatError } from '../../../../src/graphql/apollo/formatError.js';
import { createRecordingLogger } from '../../../support/http/edgeGateway.js';

/** The copy that Apollo Server uses: the test runner would resolve another one. */
const { GraphQLError } = createRequire(import.meta.url)('graphql') as typeof import('graphql');

const PATH = ['site', 'devices'];

/** As Apollo Server wraps an error from a resolver. */
function formatThrown(originalError: Error) {
  const error = new GraphQLError(originalError.message, { path: PATH, originalError });
  const extensions = { code: 'INTERNAL_SERVER_ERROR', ...error.extensions, stacktrace: ['at secret.js'] };
  return formatError({ ...error.toJSON(), extensions }, error);
}

describe('formatError', () => {
  it('returns an error of the gateway with its details, but without its cause', () => {
    const error = new GatewayError('PLATFORM_RATE_LIMITED', 'Too many.', {
      retryable: true,
      retryAfterMs: 1500.2,
      platform: { status: 429, requestId: 'r-1' },
      cause: new Error('secret'),
    });
    expect(formatThrown(error)).toEqual({
      message: 'Too many.',
      path: PATH,
      extensions: {
        code: 'PLATFORM_RATE_LIMITED',
        retryable: true,
        retryAfterMs: 1501,
        platform: { status: 429, requestId: 'r-1' },
      },
    });
  });

  it.each([
    new Error('secret'),
    new TypeError('secret'),
    Object.assign(new Error('secret'), { code: 'ECONNREFUSED', extensions: { code: 'SECRET' } }),
  ])('masks an unexpected error: %s', (error) => {
    const visible = formatThrown(error);
    expect(visible.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', retryable: false });
    expect(visible.path).toEqual(PATH);
    expect(JSON.stringify(visible)).not.toMatch(/secret/i);
  });

  it('returns a validation error unchanged, without the additions of Apollo Server', () => {
    const error = new GraphQLError('Cannot query field "x".');
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', stacktrace: ['at secret.js'] };
    expect(
      formatError({ message: error.message, locations: [{ line: 1, column: 3 }], extensions }, error),
    ).toEqual({
      message: 'Cannot query field "x".',
      locations: [{ line: 1, column: 3 }],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED', retryable: false },
    });
  });
});

it('a result counts once for each code of its errors', () => {
  const counted: string[] = [];
  const errorCodes = new Set<string>();
  const reportErrors = createErrorReporter(createRecordingLogger(), (code) => void counted.push(code));
  const toError = (originalError: Error) => new GraphQLError('', { path: PATH, originalError });
  const refused = toError(new GatewayError('PLATFORM_REFUSED', 'The platform refused.'));
  reportErrors({ requestId: 'r', errorCodes }, [refused, toError(new Error('secret')), refused]);
  expect(counted).toEqual(['PLATFORM_REFUSED', 'INTERNAL_SERVER_ERROR']);
  expect([...errorCodes]).toEqual(counted);
});

describe('the log of causes', () => {
  /** Two requests report the same error twice each. Returns the request ids of the lines. */
  function idsOf(originalError: Error) {
    const logger = createRecordingLogger();
    const reportErrors = createErrorReporter(logger, () => undefined);
    const error = new GraphQLError(originalError.message, { path: PATH, originalError });
    reportErrors({ requestId: 'first' }, [error, error]);
    reportErrors({ requestId: 'second' }, [error, error]);
    return logger.lines.map(({ fields }) => Reflect.get(fields, 'requestId'));
  }

  it('has one line for an error of the platform that requests share', () => {
    expect(idsOf(new GatewayError('PLATFORM_REFUSED', 'The platform refused.'))).toEqual(['first']);
  });

  it('has a line for each request that shares an internal error, because its message names the request id', () => {
    expect(idsOf(new Error('secret'))).toEqual(['first', 'second']);
  });
});
