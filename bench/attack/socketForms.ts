/** The attacks by websocket. */

export interface SocketForm {
  name: string;
  initializes: boolean;
  reads: boolean;
  once: boolean;
  frames: Buffer;
}

const TEXT = 1;
const PING = 9;
const FRAMES = 1000;
const SUBSCRIPTIONS = 300;

/** A masked frame of RFC 6455. The mask is zero, so that the payload stays readable. */
export function toFrame(opcode: number, payload: string): Buffer {
  const body = Buffer.from(payload);
  const head =
    body.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | body.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}

const many = (count: number, one: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => one(index)));
const message = (content: object) => toFrame(TEXT, JSON.stringify(content));
const subscribe = (query: string) => (index: number) =>
  message({ type: 'subscribe', id: `${index}`, payload: { query } });

const LARGE = `{ sites(first: 20) { nodes { id name status devices { id name serialNumber
  channels { id name type { name } } } } } }`;
const RESUME = 'subscription { sampleReceived(kinds: [SCALAR], after: "ScalarSample:1") { id sampledAt } }';

const unread = { reads: false, once: false };

export const socketForms: readonly SocketForm[] = [
  {
    ...unread,
    name: 'ping messages, before connection_init',
    initializes: false,
    frames: many(FRAMES, () => message({ type: 'ping' })),
  },
  {
    ...unread,
    name: 'ping messages',
    initializes: true,
    frames: many(FRAMES, () => message({ type: 'ping' })),
  },
  {
    ...unread,
    name: 'ping frames',
    initializes: true,
    frames: many(FRAMES, () => toFrame(PING, 'x'.repeat(100))),
  },
  { ...unread, name: 'queries', initializes: true, once: true, frames: many(FRAMES, subscribe(LARGE)) },
  {
    ...unread,
    name: 'resumed subscriptions',
    initializes: true,
    once: true,
    frames: many(SUBSCRIPTIONS, subscribe(RESUME)),
  },
  {
    name: 'garbage',
    initializes: true,
    reads: true,
    once: true,
    frames: many(FRAMES, (index) => toFrame(TEXT, `garbage ${index}`)),
  },
  {
    name: 'JSON of many levels',
    initializes: true,
    reads: true,
    once: true,
    frames: many(4, () => toFrame(TEXT, '['.repeat(60_000))),
  },
];
