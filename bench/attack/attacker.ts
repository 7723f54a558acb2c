/** The attacker's process: sends attacks from a separate address and counts the response codes. */
import { connect, type Socket } from 'node:net';
import { type AttackForm, toRequest } from './attackForms.js';

export interface AttackOrder {
  port: number;
  /** The attacker's address. Loopback accepts all addresses of 127.0.0.0/8. */
  from: string;
  forms: readonly (Omit<AttackForm, 'body'> & { body: string })[];
  connections: number;
  /** Requests per second of all connections together. With 0 each connection sends as soon as it has a response. */
  perSecond: number;
}

export interface AttackReport {
  sent: number;
  /** Responses by error code. `success` counts responses without an error, `cut` closed connections. */
  codes: Record<string, number>;
  /** Attacks with an unexpected code, by name. */
  wrong: Record<string, string>;
}

const ALLOWED_ALWAYS = ['RATE_LIMITED', 'cut'];
const TICK_MS = 5;

/** Attacks until the returned function is called. */
function attack({ port, from, forms, connections, perSecond }: AttackOrder): () => AttackReport {
  const requests = forms.map((each) => {
    const form = { ...each, body: Buffer.from(each.body, 'base64') };
    return { form, bytes: toRequest(form, `127.0.0.1:${port}`) };
  });
  const report: AttackReport = { sent: 0, codes: {}, wrong: {} };
  const idle: (() => void)[] = [];
  let isOver = false;

  function count({ name, codes }: AttackForm, code: string): void {
    report.codes[code] = (report.codes[code] ?? 0) + 1;
    if (![...codes, ...ALLOWED_ALWAYS].includes(code)) report.wrong[name] = code;
  }

  function open(): void {
    if (isOver) return;
    const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from });
    let text = '';
    let pending: AttackForm | undefined;

    function send(): void {
      const request = requests[report.sent % requests.length];
      if (isOver || request === undefined || pending !== undefined || socket.destroyed) return;
      report.sent += 1;
      pending = request.form;
      socket.write(request.bytes);
    }
    function sendNext(): void {
      if (perSecond === 0) send();
      else idle.push(send);
    }
    socket.once('connect', sendNext).on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const code = codeOf(text);
      if (code === undefined || pending === undefined) return;
      count(pending, code);
      [text, pending] = ['', undefined];
      sendNext();
    });
    socket
      .on('error', () => undefined)
      .once('close', () => {
        if (pending) count(pending, 'cut');
        pending = undefined;
        setTimeout(open, 1);
      });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  const sockets = new Set<Socket>();
  for (let opened = 0; opened < connections; opened++) open();
  const startedAtMs = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) / 1000) * perSecond);
    for (const send of idle.splice(0, due - sent)) {
      sent += 1;
      send();
    }
  }, TICK_MS);
  return () => {
    isOver = true;
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    return report;
  };
}

/** The error code of a complete response; undefined while the response is incomplete. */
function codeOf(response: string): string | undefined {
  const head = response.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(response)?.[1] ?? 0);
  if (response.length < head + 4 + length) return undefined;
  return /"code":"(\w+)"/.exec(response)?.[1] ?? 'success';
}

let end: (() => AttackReport) | undefined;
process.on('message', (order: AttackOrder | 'end') => {
  if (order !== 'end') end = attack(order);
  else process.send?.(end?.());
});
process.once('disconnect', () => process.exit());
