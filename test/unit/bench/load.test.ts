/** The benchmark's load generator sends the right requests and detects wrong responses. */
import { describe, expect, it } from 'vitest';
import { createAnswerReader } from '../../../bench/speed/answerReader.js';
import { placesOf, toRequestText, withNumber, writeNumber } from '../../../bench/speed/requestTemplate.js';

describe('a request', () => {
  it('has its number in every placeholder, from the last one on', () => {
    expect(withNumber('a## b### #', 1234)).toBe('a00 b123 4');
    expect(withNumber('none', 7)).toBe('none');
  });

  it('has a new number each time', () => {
    const text = '{"south":-89.5###}';
    const bytes = Buffer.from(text);
    for (const number of [999, 5]) writeNumber(bytes, placesOf(text), number);
    expect(bytes.toString()).toBe('{"south":-89.5005}');
  });

  it('has the right Content-Length', () => {
    const text = toRequestText({ method: 'POST', port: 1, path: '/graphql', body: '{"n":##}' });
    expect(text).toMatch(/^POST \/graphql HTTP\/1\.1\r\n(.+\r\n)*Content-Length: 8\r\n\r\n\{"n":##\}$/);
  });
});

const body = '{"data":{"sites":[]}}';
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** The output of the reader for a text in chunks of this many bytes. */
function read(text: string, pieceLength = text.length): string[] {
  const told: string[] = [];
  const reader = createAnswerReader(
    { bytes: body.length, start: '{"data":{' },
    { onAnswer: () => told.push('answer'), onFailure: (reason) => told.push(reason) },
  );
  const shared = Buffer.alloc(1000);
  for (let at = 0; at < text.length; at += pieceLength) {
    const length = shared.write(text.slice(at, at + pieceLength), 'latin1');
    reader(shared, length);
  }
  return told;
}

describe('the response reader', () => {
  it.each([1, 7, 36, 60, 200])('finds the end of each response in chunks of %i bytes', (length) => {
    expect(read(answer, length)).toEqual(['answer']);
  });

  it.each([
    [answer.replace('200 OK', '503 No'), 'It answered HTTP/1.1 503'],
    [answer.replace('"data"', '"erro"'), 'The answer begins with {"erro":'],
    [answer.replace(`${body.length}\r`, '9\r'), `It answered 9 bytes instead of ${body.length}.`],
    [answer.replace('content-length', 'x-length'), 'It answered without a Content-Length.'],
    [`${answer}more`, 'More bytes came than the answer has.'],
  ])('reports a different response', (text, reason) => {
    expect(read(text)[0]).toContain(reason);
  });
});
