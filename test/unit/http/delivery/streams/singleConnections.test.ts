/** The tokens of single connection mode. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStream, SingleConnections } from '../../../../../src/http/delivery/streams/eventStream.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reserve() {
  const single = new SingleConnections(undefined);
  let isAttached = false;
  const close = vi.fn();
  const token = single.reserve('owner', (onClose) => {
    close.mockImplementation(onClose);
    return { isAttached: () => isAttached, close } as unknown as EventStream;
  });
  const open = (owner = 'owner') => {
    single.open(token, owner);
    isAttached = true;
  };
  return { single, token, close, open };
}

describe('a reserved stream', () => {
  it('ends after 30 s if it is not opened', () => {
    const { single, token, close } = reserve();
    vi.advanceTimersByTime(29_999);
    expect(close).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(close).toHaveBeenCalledOnce();
    expect(() => single.get(token, 'owner')).toThrow('There is no stream under this token.');
  });

  it('is opened once, by its owner, and lasts', () => {
    const { close, open } = reserve();
    expect(() => open('other')).toThrow('There is no stream under this token.');
    open();
    expect(() => open()).toThrow('This token is in use.');
    vi.advanceTimersByTime(60_000);
    expect(close).not.toHaveBeenCalled();
  });
});
