/** Errors of responses of the platform quote nothing of them, neither to callers nor in the log. */
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { parseResponseJson } from '../../../../src/rest/decode/responseErrors.js';

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
