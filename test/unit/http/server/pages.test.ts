/** Requests for the metrics that arrive together share one response in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createMetricsPage } from '../../../../src/http/server/pages.js';

it('sends the same buffer to requests that arrive together', async () => {
  const page = createMetricsPage({
    access: 'open',
    openSession: () => Promise.reject(new Error('Unused')),
    usesCallerCredentials: false,
    render: async () => 'metric 1\n',
  });
  const sent: unknown[] = [];
  const response = { writeHead: () => {}, end: (body: unknown) => void sent.push(body) };
  const send = () => page({} as IncomingMessage, response as unknown as ServerResponse, 'id');
  await Promise.all([send(), send()]);
  expect(sent).toEqual([Buffer.from('metric 1\n'), Buffer.from('metric 1\n')]);
  expect(sent[0]).toBe(sent[1]);
});
