/** The benchmark's load generator sends the right requests and detects wrong responses. */
import { describe, expect, it } from 'vitest';
import {
  digitPositions,
  toRequestText,
  withNumber,
  writeNumber,
} from '../../../bench/speed/load/requestTemplate.js';
import { createResponseReader } from '../../../bench/speed/load/responseReader.js';

describe('a request', () => {
  it('has the digits of a number in place of its placeholders', () => {
    expect(withNumber('a## b### #', 1234)).toBe('a00 b123 4');
    expect(withNumber('none', 7)).toBe('none');
  });

  it('has a new number each time', () => {
    const text = '{"south":-89.5###}';
    const bytes = Buffer.from(text);
    for (const number of [999, 5]) writeNumber(bytes, digitPositions(text), number);
    expect(bytes.toString()).toBe('{"south":-89.5005}');
  });

  it('has the length of its body in a header', () => {
    const text = toRequestText({ method: 'POST', port: 1, path: '/graphql', body: '{"n":##}' });
    expect(text).toMatch(/^POST \/graphql HTTP\/1\.1\r\n(.+\r\n)*Content-Length: 8\r\n\r\n\{"n":##\}$/);
  });
});

const body = '{"data":{"sites":[]}}';
const response = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** The reader's events for a text that arrives in chunks of `pieceLength` bytes. */
function read(text: string, pieceLength = text.length): string[] {
  const events: string[] = [];
  const reader = createResponseReader(
    { bytes: body.length, start: '{"data":{' },
    { onResponse: () => events.push('response'), onFailure: (reason) => events.push(reason) },
  );
  const shared = Buffer.alloc(1000);
  for (let at = 0; at < text.length; at += pieceLength) {
    const length = shared.write(text.slice(at, at + pieceLength), 'latin1');
    reader(shared, length);
  }
  return events;
}

describe('the response reader', () => {
  it.each([1, 7, 36, 60, 200])('finds the end of a response in chunks of %i bytes', (length) => {
    expect(read(response, length)).toEqual(['response']);
  });

  it.each([
    [response.replace('200 OK', '503 No'), 'The response is HTTP/1.1 503'],
    [response.replace('"data"', '"erro"'), 'The response begins with {"erro":'],
    [response.replace(`${body.length}\r`, '9\r'), `The response has 9 bytes instead of ${body.length}.`],
    [response.replace('content-length', 'x-length'), 'The response has no Content-Length.'],
    [`${response}more`, 'The response is longer than its Content-Length.'],
  ])('rejects an unexpected response', (text, reason) => {
    expect(read(text)[0]).toContain(reason);
  });
});
