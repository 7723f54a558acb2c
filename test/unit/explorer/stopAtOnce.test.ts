/** The end of operations that the explorer stops. */
import { expect, it } from 'vitest';
import { stopAtOnce } from '../../../explorer/requests/stopAtOnce.js';

it('a stoppable operation passes results and the end on', async () => {
  async function* source() {
    yield* ['first', 'second'];
  }
  const results = [];
  for await (const result of stopAtOnce(source(), () => {})) results.push(result);
  expect(results).toEqual(['first', 'second']);
});

it('a stoppable operation ends while a result is awaited, cancels the request, and passes no later result or error on', async () => {
  let abort = () => {};
  const response = new Promise((_, reject) => {
    abort = () => reject(new Error('aborted'));
  });
  async function* source() {
    yield await response;
  }
  const results = stopAtOnce(source(), abort);
  const next = results.next();
  expect(await results.return?.()).toEqual({ value: undefined, done: true });
  expect(await next).toEqual({ value: undefined, done: true });
  expect(await results.next()).toEqual({ value: undefined, done: true });
});

it('a stoppable operation fails as its source does', async () => {
  async function* source() {
    yield await Promise.reject(new Error('no response'));
  }
  await expect(stopAtOnce(source(), () => {}).next()).rejects.toThrow('no response');
});
