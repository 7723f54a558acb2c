/** Recognises addresses that only this machine can reach. */
import { isIP } from 'node:net';

export function isLoopback(host: string): boolean {
  const isName = host === 'localhost' || host === '::1' || host === '[::1]';
  return isName || (isIP(host) === 4 && host.startsWith('127.'));
}
