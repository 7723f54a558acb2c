/** Host names of requests that an open gateway on loopback accepts. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createHostCheck } from '../../../../src/http/auth/hostCheck.js';

const requestTo = (host: string) => ({ headers: { host } }) as IncomingMessage;

describe('PUBLIC_HOSTS', () => {
  const check = createHostCheck('127.0.0.1', ['Gateway.example', 'secure.example:443', 'dev.example:8080']);

  it.each([
    'gateway.example',
    'GATEWAY.EXAMPLE:9999',
    'secure.example',
    'secure.example:443',
    'dev.example:8080',
    'localhost:4000',
    '127.0.0.1',
  ])('allows %s', (host) => {
    expect(check(requestTo(host))).toBe(true);
  });

  it.each([
    'evil.example',
    'gateway.example.evil.example',
    'evil-gateway.example',
    'dev.example',
    'dev.example:8081',
    'secure.example:80',
    'gateway.example@evil.example',
    'gateway.example/',
    '',
  ])('refuses %s', (host) => {
    expect(check(requestTo(host))).toBe(false);
  });

  it('allows no other name where it is empty', () => {
    expect(createHostCheck('127.0.0.1')(requestTo('gateway.example'))).toBe(false);
  });
});
