/** The attacker, in a process of its own: sends forms of attack from its own address, and counts what it is told. */
import { connect, type Socket } from 'node:net';
import { type AttackForm, toRequest } from './attackForms.js';

export interface AttackOrder {
  port: number;
  /** On loopback every 127.x.y.z is an address: this one tells the attacker from others. */
  from: string;
  forms: readonly (Omit<AttackForm, 'body'> & { body: string })[];
  connections: number;
  /** Requests a second of all connections together; 0: each sends the next as soon as it is answered. */
  perSecond: number;
}

export interface AttackReport {
  sent: number;
  /** How often each code was the answer; what was no refusal is under `answered`, cut connections under `cut`. */
  codes: Record<string, number>;
  /** Names of forms with an answer that they may not have. */
  wrong: Record<string, string>;
}

const ALLOWED_ALWAYS = ['RATE_LIMITED', 'cut'];
const TICK_MS = 5;

/** Attacks until the function it answers is called. */
function attack({ port, from, forms, connections, perSecond }: AttackOrder): () => AttackReport {
  const requests = forms.map((each) => {
    const form = { ...each, body: Buffer.from(each.body, 'base64') };
    return { form, bytes: toRequest(form, `127.0.0.1:${port}`) };
  });
  const report: AttackReport = { sent: 0, codes: {}, wrong: {} };
  const waiting: (() => void)[] = [];
  let isOver = false;

  function note({ name, codes }: AttackForm, code: string): void {
    report.codes[code] = (report.codes[code] ?? 0) + 1;
    if (![...codes, ...ALLOWED_ALWAYS].includes(code)) report.wrong[name] = code;
  }

  function open(): void {
    if (isOver) return;
    const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from });
    let text = '';
    let asked: AttackForm | undefined;
    const isIdle = () => asked === undefined;

    function send(): void {
      const request = requests[report.sent % requests.length];
      if (isOver || request === undefined || !isIdle() || socket.destroyed) return;
      report.sent += 1;
      asked = request.form;
      socket.write(request.bytes);
    }
    function goOn(): void {
      if (perSecond === 0) send();
      else waiting.push(send);
    }
    socket.once('connect', goOn).on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const code = codeOf(text);
      if (code === undefined || asked === undefined) return;
      note(asked, code);
      [text, asked] = ['', undefined];
      goOn();
    });
    socket
      .on('error', () => undefined)
      .once('close', () => {
        if (asked) note(asked, 'cut');
        asked = undefined;
        setTimeout(open, 1);
      });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  const sockets = new Set<Socket>();
  for (let count = 0; count < connections; count++) open();
  const startedAtMs = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const owed = Math.floor(((performance.now() - startedAtMs) / 1000) * perSecond);
    for (const send of waiting.splice(0, owed - due)) {
      due += 1;
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

/** Of a whole answer; undefined while more of it is to come. */
function codeOf(answer: string): string | undefined {
  const head = answer.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0);
  if (answer.length < head + 4 + length) return undefined;
  return /"code":"(\w+)"/.exec(answer)?.[1] ?? 'answered';
}

let end: (() => AttackReport) | undefined;
process.on('message', (order: AttackOrder | 'end') => {
  if (order !== 'end') end = attack(order);
  else process.send?.(end?.());
});
process.once('disconnect', () => process.exit());
