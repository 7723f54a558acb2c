/** The explanations of responses in parts. */
import { expect, it } from 'vitest';
import { joinExplanations } from '../../../explorer/requests/joinExplanations.js';

const explain = (call: string) => ({ cost: 7, calls: [call], plans: [`plan of ${call}`] });

let unexplained = 0;

async function collect(...results: unknown[]): Promise<unknown[]> {
  unexplained = 0;
  async function* source() {
    yield* results;
  }
  const joined = [];
  for await (const result of joinExplanations(source(), () => unexplained++)) joined.push(result);
  return joined;
}

it('explanations of later parts contain those of earlier ones', async () => {
  const first = { data: {}, hasNext: true, extensions: { explain: explain('site') } };
  const second = { hasNext: true, extensions: { other: 1, explain: explain('device') } };
  const third = { hasNext: false, extensions: { explain: explain('stream') } };
  const devices = { cost: 7, calls: ['site', 'device'], plans: ['plan of site', 'plan of device'] };
  const streams = {
    cost: 7,
    calls: [...devices.calls, 'stream'],
    plans: [...devices.plans, 'plan of stream'],
  };
  expect(await collect([first], [second, third])).toEqual([
    [first],
    [
      { ...second, extensions: { other: 1, explain: devices } },
      { ...third, extensions: { explain: streams } },
    ],
  ]);
  expect(unexplained).toBe(0);
});

it('explanations are left alone where there is one result, or none is explained', async () => {
  const single = { data: {}, extensions: { explain: explain('site') } };
  const plain = [{ data: {}, hasNext: true }, { hasNext: false }];
  expect(await collect(single)).toEqual([single]);
  expect(await collect(plain)).toEqual([plain]);
  expect(unexplained).toBe(1);
  const refused = { data: null, errors: [{ message: 'Forbidden.' }] };
  expect(await collect(refused)).toEqual([refused]);
  expect(unexplained).toBe(0);
});
