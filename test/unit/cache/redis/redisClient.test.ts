/** Clients of Redis. */
import { createRequire } from 'node:module';
import type * as RedisLibrary from '@redis/client';
import { expect, it } from 'vitest';
import { createRedisClient, toErrorCode } from '../../../../src/cache/redis/redisClient.js';

// As the source does: an import would return the copy of an earlier file that ran in this process.
const { ConnectionTimeoutError } = createRequire(import.meta.url)('@redis/client') as typeof RedisLibrary;

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
