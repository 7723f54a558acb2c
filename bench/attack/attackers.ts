/** Starts and stops attacks in separate processes. */
import { forkRemoteHelper } from '../shared/processes.js';
import type { AttackOrder, AttackReport } from './attacker.js';
import type { AttackForm } from './attackForms.js';
import type { SocketAttackOrder, SocketAttackReport } from './socketAttacker.js';
import type { SocketForm } from './socketForms.js';

interface Attack extends Omit<AttackOrder, 'forms' | 'port'> {
  forms: readonly AttackForm[];
}

export interface Attackers {
  pid: number;
  start(url: string, attack: Attack): void;
  end(): Promise<AttackReport>;
  close(): void;
}

export function createAttackers(): Attackers {
  const helper = forkRemoteHelper<AttackOrder | 'end', AttackReport>(new URL('attacker.js', import.meta.url));
  return {
    pid: helper.pid,
    start(url, { forms, ...attack }) {
      const encoded = forms.map((form) => ({ ...form, body: form.body.toString('base64') }));
      helper.send({ ...attack, forms: encoded, port: Number(new URL(url).port) });
    },
    end: () => helper.request('end'),
    close: () => helper.stop(),
  };
}

export interface SocketAttackers {
  pid: number;
  start(url: string, form: SocketForm, from: string, connections: number): void;
  end(): Promise<SocketAttackReport>;
  close(): void;
}

export function createSocketAttackers(): SocketAttackers {
  const file = new URL('socketAttacker.js', import.meta.url);
  const helper = forkRemoteHelper<SocketAttackOrder | 'end', SocketAttackReport>(file);
  return {
    pid: helper.pid,
    start(url, { name: _, frames, ...form }, from, connections) {
      const port = Number(new URL(url).port);
      helper.send({ ...form, from, connections, port, frames: frames.toString('base64') });
    },
    end: () => helper.request('end'),
    close: () => helper.stop(),
  };
}
