/** The bytes of each stream, as the protocols define them. */
import { describe, expect, it } from 'vitest';
import { createSseCodec, multipartCodec } from '../../../../../src/http/delivery/streams/streamCodec.js';

const result = '{"data":{"x":1}}';
const asOf = '2026-03-14T09:30:00.000Z';
const retryable = { retryable: true, retryAfterMs: 1500 };
const final = { retryable: false, retryAfterMs: undefined };
const errors = [{ message: 'Stopping.', extensions: { code: 'STOPPING' } }];
const failed = JSON.stringify({ data: null, errors });

describe('GraphQL over SSE', () => {
  const codec = createSseCodec();
  const ofBrowser = createSseCodec({ isEventSource: true });

  it('sends a result as an event, with its cursor as the id', () => {
    expect(codec.next(result)).toBe(`event: next\ndata: ${result}\n\n`);
    expect(codec.next(result, 'ScalarSample:1:2')).toBe(
      `id: ScalarSample:1:2\nevent: next\ndata: ${result}\n\n`,
    );
  });

  it('allows no further field in a cursor', () => {
    expect(codec.next(result, 'a\nevent: complete\r')).toBe(
      `id: aevent: complete\nevent: next\ndata: ${result}\n\n`,
    );
  });

  it('ends with an event, after the last result', () => {
    expect(codec.complete()).toBe('event: complete\ndata:\n\n');
    expect(codec.complete(failed, retryable)).toBe(
      `event: next\ndata: ${failed}\n\nevent: complete\ndata:\n\n`,
    );
  });

  it('lets an EventSource connect again after an end that can be resumed', () => {
    expect(ofBrowser.complete(failed, retryable)).toBe(`retry: 1500\nevent: next\ndata: ${failed}\n\n`);
    expect(ofBrowser.complete(failed, final)).toBe(codec.complete(failed));
    expect(ofBrowser.complete(result)).toBe(codec.complete(result));
  });

  it('sends heartbeats as comments, and to an EventSource as an event too', () => {
    expect(codec.heartbeat({ asOf })).toBe(`: heartbeat {"asOf":"${asOf}"}\n\n`);
    expect(codec.heartbeat({})).toBe(': heartbeat {}\n\n');
    expect(ofBrowser.heartbeat({ asOf })).toBe(
      `: heartbeat {"asOf":"${asOf}"}\n\nevent: heartbeat\ndata: {"asOf":"${asOf}"}\n\n`,
    );
  });

  it('names the operation of each event in single connection mode', () => {
    const single = createSseCodec({ operationId: 'a"b' });
    expect(single.next(result, 'ScalarSample:1:2')).toBe(
      `event: next\ndata: {"id":"a\\"b","payload":${result}}\n\n`,
    );
    expect(single.complete()).toBe('event: complete\ndata: {"id":"a\\"b"}\n\n');
  });
});

describe('multipart HTTP', () => {
  const part = (body: string, type = 'application/json') =>
    `\r\ncontent-type: ${type}\r\n\r\n${body}\r\n--graphql`;

  it('sends results, the end and heartbeats as parts that are complete at once', () => {
    expect(multipartCodec.start).toBe('\r\n--graphql');
    expect(multipartCodec.next(result)).toBe(part(`{"payload":${result}}`));
    expect(multipartCodec.complete()).toBe('');
    expect(multipartCodec.complete(result)).toBe(multipartCodec.next(result));
    expect(multipartCodec.complete(failed, retryable)).toBe(part(JSON.stringify({ payload: null, errors })));
    expect(multipartCodec.end).toBe('--\r\n');
  });

  it('sends an empty body as the heartbeat, with the time in its content type', () => {
    expect(multipartCodec.heartbeat({})).toBe(part('{}'));
    expect(multipartCodec.heartbeat({ asOf })).toBe(part('{}', `application/json; asOf="${asOf}"`));
  });
});
