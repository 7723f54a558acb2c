/** With CALLER_AUTH=open nobody is asked, whatever a proxy or a browser sends along. */
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { connectSocket } from '../support/http/callers.js';

describe('an open gateway', () => {
  it('lets everybody in, and keeps what it answers out of shared caches', async () => {
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
