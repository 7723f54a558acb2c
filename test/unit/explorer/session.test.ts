/** The credential of the page, where the browser forbids session storage. */
import { expect, it, vi } from 'vitest';

/** Imported by its address, because the types of the tests know no `window`. */
const SESSION = new URL('../../../explorer/session.ts', import.meta.url).href;

const forbid = () => {
  throw new Error('The operation is insecure.');
};

it.each([
  ['cannot be written', { getItem: () => null, setItem: forbid, removeItem: forbid }],
  ['is forbidden', { getItem: forbid, setItem: forbid, removeItem: forbid }],
])('keeps the credential where session storage %s', async (name, sessionStorage) => {
  vi.stubGlobal('window', { sessionStorage });
  // A module of its own for each test. Resetting all modules would affect later files of the process.
  const { session, sessionHeaders } = await import(`${SESSION}?${encodeURIComponent(name)}`);
  session.setCredential(' token ');
  session.setExplaining(true);
  expect(session.isExplaining()).toBe(true);
  expect(sessionHeaders()).toEqual({ Authorization: 'Bearer token' });
  vi.unstubAllGlobals();
});
