/** Reads the responses of a connection, only far enough to find their ends and to check them. */

interface ExpectedResponse {
  /** Length of the body. */
  bytes: number;
  /** Beginning of the body. */
  start: string;
}

interface ResponseEvents {
  onResponse(): void;
  onFailure(reason: string): void;
}

/** Reads the first `length` bytes of a buffer. The caller may overwrite the buffer afterwards. */
type ResponseReader = (buffer: Buffer, length: number) => void;

const STATUS = 'HTTP/1.1 200 ';

/** Reads one response at a time: the next request must follow the previous response. */
export function createResponseReader(expected: ExpectedResponse, events: ResponseEvents): ResponseReader {
  let partialHeaders: Buffer | undefined;
  let missing = 0;

  function readBody(body: Buffer): void {
    const isBeginning = missing === expected.bytes && body.length > 0;
    if (isBeginning && !beginsAs(body, expected.start)) {
      events.onFailure(`The response begins with ${body.toString('latin1', 0, 300)}`);
    } else {
      missing -= body.length;
      if (missing === 0) events.onResponse();
      else if (missing < 0) events.onFailure('The response is longer than its Content-Length.');
    }
  }

  function readHeaders(bytes: Buffer): void {
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) {
      partialHeaders = Buffer.from(bytes);
      return;
    }
    partialHeaders = undefined;
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
    else readHeaders(partialHeaders ? Buffer.concat([partialHeaders, bytes]) : bytes);
  };
}

function beginsAs(body: Buffer, start: string): boolean {
  return start.startsWith(body.toString('latin1', 0, start.length));
}

function findFault(headers: string, { bytes }: ExpectedResponse): string | undefined {
  if (!headers.startsWith(STATUS)) return `The response is ${headers.slice(0, 100)}`;
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (length === undefined) return 'The response has no Content-Length.';
  return Number(length) === bytes ? undefined : `The response has ${length} bytes instead of ${bytes}.`;
}
