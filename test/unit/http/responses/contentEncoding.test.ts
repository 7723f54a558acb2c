/** `Accept-Encoding` as RFC 9110 defines it. */
import { describe, expect, it } from 'vitest';
import { chooseEncoding, refusesIdentity } from '../../../../src/http/responses/contentEncoding.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0, gzip;q=0.001', 'gzip'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip ; q=1.000 , br;q=0.999', 'gzip'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;q=much', 'identity'],
    [',,gzip,', 'gzip'],
    ['gzip'.padEnd(600), 'identity'],
  ])('chooses for %j %s', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });
});

describe('refusesIdentity', () => {
  it.each([
    [undefined, false],
    ['gzip', false],
    ['br;q=0', false],
    ['identity;q=0', true],
    ['gzip, identity;q=0.0', true],
    ['gzip, *;q=0', true],
    ['identity;q=0.1', false],
    ['identity, *;q=0', false],
  ])('returns for %j: %s', (header, expected) => {
    expect(refusesIdentity(header)).toBe(expected);
  });
});
