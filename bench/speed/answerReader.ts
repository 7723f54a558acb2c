/** Reads the answers on a connection: no more of them than tells where each ends and whether it is the one expected. */

export interface ExpectedAnswer {
  /** Length of the body. */
  bytes: number;
  /** How the body begins. */
  start: string;
}

export interface AnswerEvents {
  onAnswer(): void;
  onFailure(reason: string): void;
}

/** Takes what has come: the first `length` bytes of a buffer that will be written over afterwards. */
export type AnswerReader = (buffer: Buffer, length: number) => void;

const STATUS = 'HTTP/1.1 200 ';

/** One answer at a time: the next request is sent when the one before it is answered. */
export function createAnswerReader(expected: ExpectedAnswer, events: AnswerEvents): AnswerReader {
  let beginning: Buffer | undefined;
  let missing = 0;

  function readBody(body: Buffer): void {
    const isBeginning = missing === expected.bytes && body.length > 0;
    if (isBeginning && !beginsAs(body, expected.start)) {
      events.onFailure(`The answer begins with ${body.toString('latin1', 0, 300)}`);
    } else {
      missing -= body.length;
      if (missing === 0) events.onAnswer();
      else if (missing < 0) events.onFailure('More bytes came than the answer has.');
    }
  }

  function readHeaders(bytes: Buffer): void {
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) {
      beginning = Buffer.from(bytes);
      return;
    }
    beginning = undefined;
    const fault = findFault(bytes.toString('latin1', 0, end), expected);
    if (fault !== undefined) {
      events.onFailure(fault);
      return;
    }
    missing = expected.bytes;
    readBody(bytes.subarray(end + 4));
  }

  return (buffer, length) => {
    const bytes = buffer.subarray(0, length);
    if (missing > 0) readBody(bytes);
    else readHeaders(beginning ? Buffer.concat([beginning, bytes]) : bytes);
  };
}

function beginsAs(body: Buffer, start: string): boolean {
  return start.startsWith(body.toString('latin1', 0, start.length));
}

function findFault(headers: string, { bytes }: ExpectedAnswer): string | undefined {
  if (!headers.startsWith(STATUS)) return `It answered ${headers.slice(0, 100)}`;
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (length === undefined) return 'It answered without a Content-Length.';
  return Number(length) === bytes ? undefined : `It answered ${length} bytes instead of ${bytes}.`;
}
