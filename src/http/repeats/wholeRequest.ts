/** Tells whether bytes are one request and nothing else, so that the next byte of the connection begins another. Pure. */
import type { IncomingMessage } from 'node:http';

const HEADERS_END = '\r\n\r\n';

/** `request` is what the parser made of the bytes. False where it can't be told for sure. */
export function isWholeRequest(
  bytes: Buffer,
  { complete, httpVersion, headers }: Pick<IncomingMessage, 'complete' | 'httpVersion' | 'headers'>,
): boolean {
  const {
    connection,
    upgrade,
    expect,
    'transfer-encoding': coding,
    'content-length': length = '0',
  } = headers;
  if (!complete || httpVersion !== '1.1') return false;
  if (upgrade !== undefined || expect !== undefined || coding !== undefined) return false;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return false;
  const end = bytes.indexOf(HEADERS_END, 0, 'latin1');
  return end !== -1 && end + HEADERS_END.length + Number(length) === bytes.length;
}
