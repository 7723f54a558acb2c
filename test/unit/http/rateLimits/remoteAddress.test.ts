/** The address of a client behind trusted proxies. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  createAddressResolver,
  isNetwork,
  remoteAddressOf,
} from '../../../../src/http/rateLimits/remoteAddress.js';
import { required } from '../../../support/gateway.js';

const resolve = required(createAddressResolver(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']));

function addressOf(remoteAddress: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
  resolve(request);
  return remoteAddressOf(request);
}

describe('behind trusted proxies', () => {
  it.each([
    ['a proxy and no header', '127.0.0.1', undefined, '127.0.0.1'],
    ['a proxy', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a proxy that a client lied to', '127.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['two proxies', '10.1.2.3', '1.1.1.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['proxies alone', '10.1.2.3', '10.4.4.4, 10.9.9.9', '10.4.4.4'],
    ['a proxy on an IPv6 socket', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['a proxy that names another as IPv6', '127.0.0.1', '203.0.113.7, ::ffff:10.9.9.9', '203.0.113.7'],
    ['a proxy with an IPv6 address', '2001:db8::1', '2001:4860::8', '2001:4860::8'],
    ['a proxy that adds a port', '127.0.0.1', '203.0.113.7:5555', '203.0.113.7'],
    ['a proxy that adds brackets and a port', '127.0.0.1', '[2001:4860::8]:5555', '2001:4860::8'],
    ['a proxy that names no address', '127.0.0.1', '203.0.113.7, unknown', '127.0.0.1'],
    ['an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['no trusted proxy', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ])('%s', (_, remote, forwarded, expected) => {
    expect(addressOf(remote, forwarded)).toBe(expected);
  });

  it('is not resolved at all without any', () => {
    expect(createAddressResolver([])).toBeUndefined();
  });
});

it.each([
  ['10.0.0.0/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['::/129', false],
  ['proxy.example', false],
  ['10.0.0', false],
  ['', false],
])('%j as an entry of TRUSTED_PROXIES: %s', (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
});
