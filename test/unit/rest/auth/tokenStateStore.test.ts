/** The token state of a process and the shared one: no change is lost, and times are those of the reader's clock. */
import { expect, it } from 'vitest';
import type { TokenState } from '../../../../src/rest/auth/tokenState.js';
import { createTokenStateStore, type StoredText } from '../../../../src/rest/auth/tokenStateStore.js';

const NOW_MS = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const clock = { now: () => NOW_MS };

const attempt = (id: string) => (state: TokenState, nowMs: number) => ({
  result: nowMs,
  next: { ...state, attempts: [...state.attempts, { id, atMs: nowMs }] },
});

it('the token state keeps a change that this process made alone while another was being written', async () => {
  let write: (written: StoredText & { isReplaced: boolean }) => void = () => {};
  let isReachable = true;
  const content = { text: undefined, version: '1', nowMs: NOW_MS };
  const { state, update } = createTokenStateStore({
    clock,
    store: {
      read: async () => (isReachable ? content : undefined),
      replace: () =>
        new Promise((resolve) => {
          write = resolve;
        }),
    },
  });
  const shared = update(attempt('shared'));
  await new Promise((resolve) => setImmediate(resolve));
  isReachable = false;
  await update(attempt('alone'));
  write({ ...content, isReplaced: true });
  await shared;
  expect(state().attempts.map(({ id }) => id)).toEqual(['shared', 'alone']);
});

it.each([-HOUR_MS, HOUR_MS])(
  'the token state is converted from a clock of the shared store that is ahead by %i ms',
  async (aheadMs) => {
    const content = { text: undefined, version: '1', nowMs: NOW_MS + aheadMs };
    const { state, update } = createTokenStateStore({
      clock,
      store: {
        read: async () => content,
        replace: async () => ({ ...content, isReplaced: true }),
      },
    });
    expect(await update(attempt('one'))).toBe(NOW_MS + aheadMs);
    expect(state().attempts).toEqual([{ id: 'one', atMs: NOW_MS }]);
  },
);
