/** Errors of responses of the platform quote nothing of them, neither to callers nor in the log. */
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { parseResponseJson, toStatusError } from '../../../../src/rest/decode/responseErrors.js';

it.each(['secret-host', '[{"name": "secret-host"}, oops]', '{"name": "secret-host'])(
  'the error of the body %j quotes nothing of it',
  async (body) => {
    const error: unknown = await Promise.resolve()
      .then(() => parseResponseJson('/v2.0/site', body))
      .catch((reason: unknown) => reason);
    const text = inspect(error, { depth: 10 });
    expect(text).toContain('The platform responded to /v2.0/site with a body that is not JSON.');
    expect(text).toContain(`The body has ${body.length} characters and is not JSON.`);
    expect(text).not.toMatch(/secret|host|oops/);
  },
);

it('names the endpoint that refuses, or the credential if that is the token endpoint', () => {
  const messageOf = (template: string) =>
    toStatusError(template, { status: 401, headers: {}, body: Buffer.alloc(0) }, 0).message;
  expect(messageOf('/v2.0/site')).toBe('The platform did not authorize /v2.0/site (status 401).');
  expect(messageOf('/auth/token')).toBe('The platform refuses the credential (status 401).');
});
