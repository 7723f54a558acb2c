/** Clients of Redis. */
import { ConnectionTimeoutError } from '@redis/client';
import { expect, it } from 'vitest';
import { createRedisClient, toErrorCode } from '../../../../src/cache/redis/redisClient.js';

it('share the class with all commands, whatever their options are', () => {
  const [one, other] = [
    createRedisClient('redis://127.0.0.1:6390', 1000),
    createRedisClient('redis://localhost:6391', 2000),
  ];
  expect(one.constructor).toBe(other.constructor);
  expect(other.options.socket).toMatchObject({ host: 'localhost', port: 6391, connectTimeout: 2000 });
});

it('give a connection attempt that takes too long the code of a late reply', () => {
  expect(toErrorCode(new ConnectionTimeoutError())).toBe('TIMEOUT');
});
