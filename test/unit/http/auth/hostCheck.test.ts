/** Host names of requests that an open gateway on loopback accepts. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  chooseHostCheck,
  createHostCheck,
  isLoopback,
  toOriginForm,
} from '../../../../src/http/auth/hostCheck.js';

const requestTo = (host: string) => ({ headers: { host } }) as IncomingMessage;

describe('PUBLIC_HOSTS', () => {
  const names = ['Gateway.example', 'plain.example:80', 'secure.example:443', 'dev.example:8080'];
  const check = createHostCheck('127.0.0.2', names);

  it.each([
    'gateway.example',
    'GATEWAY.EXAMPLE:9999',
    'plain.example',
    'secure.example',
    'secure.example:443',
    'dev.example:8080',
    'localhost:4000',
    '127.0.0.1',
    '127.0.0.2:4000',
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

  it('allows a request without a host name, which no browser sends', () => {
    expect(check({ headers: {} } as IncomingMessage)).toBe(true);
  });

  it('allows no other name where it is empty', () => {
    expect(createHostCheck('127.0.0.1')(requestTo('gateway.example'))).toBe(false);
  });
});

it.each([
  ['open', '127.0.0.1', false],
  ['open', '0.0.0.0', true],
  ['api-key', '127.0.0.1', true],
])('a gateway with CALLER_AUTH=%s on %s accepts a foreign host name: %s', (callerAuth, host, isAccepted) => {
  expect(chooseHostCheck(callerAuth, { host })(requestTo('evil.example'))).toBe(isAccepted);
});

it.each(['localhost', '::1', '[::1]', '127.0.0.1', '127.1.2.3'])('%s is a loopback address', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'localhost.example'])(
  '%s is no loopback address',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

it.each([
  ['/graphql', 'a.example', '/graphql'],
  ['http://a.example/graphql?query=1', 'A.example', '/graphql?query=1'],
  ['HTTPS://A.example:1?query=1', 'a.example:1', '/?query=1'],
  ['http://b.example/graphql', 'a.example', 'http://b.example/graphql'],
  ['http://a.example/graphql', undefined, 'http://a.example/graphql'],
  ['/http://a.example/graphql', 'a.example', '/http://a.example/graphql'],
  ['*', undefined, '*'],
])('the target %s at the host %s is served as %s', (url, host, expected) => {
  const request = { url, headers: { host } } as IncomingMessage;
  toOriginForm(request);
  expect(request.url).toBe(expected);
});
