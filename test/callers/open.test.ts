/** With CALLER_AUTH=open the gateway ignores the credentials that a proxy or a browser adds. */
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { connectSocket } from '../support/http/callers.js';

describe('an open gateway', () => {
  it('accepts every caller, and marks its responses as private', async () => {
    const gateway = await startTestGateway({ sandbox: { siteCount: 1 } });
    for (const authorization of ['', 'Digest x', 'Basic !', 'Bearer x', 'Bearer']) {
      const { status, headers } = await gateway.query(
        '{ sites { totalCount } }',
        {},
        { Authorization: authorization, 'X-API-Key': 'y' },
      );
      expect([status, headers.get('cache-control')]).toEqual([
        200,
        expect.stringMatching(/^private, max-age=\d+$/),
      ]);
    }
    const socket = connectSocket(gateway.url, { params: { authorization: 7 } });
    expect(await socket.first('{ sites { totalCount } }')).toEqual({ data: { sites: { totalCount: 1 } } });
  });
});
