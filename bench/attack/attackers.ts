/** Starts attackers as processes of their own, and hears from them how they fared. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackOrder, AttackReport } from './attacker.js';
import type { AttackForm } from './attackForms.js';
import type { SocketAttackOrder, SocketAttackReport } from './socketAttacker.js';
import type { SocketForm } from './socketForms.js';

export interface Attack extends Omit<AttackOrder, 'forms' | 'port'> {
  forms: readonly AttackForm[];
}

export interface Attackers {
  start(url: string, attack: Attack): void;
  end(): Promise<AttackReport>;
  close(): void;
}

export function createAttackers(): Attackers {
  const child = fork(fileURLToPath(new URL('attacker.js', import.meta.url)));
  return {
    start(url, { forms, ...attack }) {
      const inText = forms.map((form) => ({ ...form, body: form.body.toString('base64') }));
      const order: AttackOrder = { ...attack, forms: inText, port: Number(new URL(url).port) };
      child.send(order);
    },
    async end() {
      child.send('end');
      const [report] = (await once(child, 'message')) as [AttackReport];
      return report;
    },
    close: () => child.disconnect(),
  };
}

export interface SocketAttackers {
  start(url: string, form: SocketForm, from: string, connections: number): void;
  end(): Promise<SocketAttackReport>;
  close(): void;
}

export function createSocketAttackers(): SocketAttackers {
  const child = fork(fileURLToPath(new URL('socketAttacker.js', import.meta.url)));
  return {
    start(url, { greets, reads, once: isOnce, frames }, from, connections) {
      const order: SocketAttackOrder = {
        ...{ from, connections, greets, reads, once: isOnce },
        port: Number(new URL(url).port),
        frames: frames.toString('base64'),
      };
      child.send(order);
    },
    async end() {
      child.send('end');
      const [report] = (await once(child, 'message')) as [SocketAttackReport];
      return report;
    },
    close: () => child.disconnect(),
  };
}
