/** The memory of a connection, charged to its caller. */
import { expect, it } from 'vitest';
import { CONNECTION_BYTES, ConnectionCharge } from '../../../../src/http/delivery/connectionBytes.js';
import { createByteBudgets } from '../../../../src/lib/byteBudget.js';

const MAX_BYTES = 200_000;

it('a connection moves to another caller only if that one has room, and stays with its own without', () => {
  const budgets = createByteBudgets(MAX_BYTES);
  const [own, full] = [budgets('own'), budgets('full')];
  const charge = new ConnectionCharge(own);
  for (const budget of [own, full]) budget.add(MAX_BYTES);
  expect([charge.moveTo(budgets('own')), charge.moveTo(full)]).toEqual([true, false]);
  expect([own.used(), full.used()]).toEqual([MAX_BYTES + CONNECTION_BYTES, MAX_BYTES]);
  expect(charge.moveTo(budgets('other'))).toBe(true);
  expect([own.used(), budgets('other').used()]).toEqual([MAX_BYTES, CONNECTION_BYTES]);
});

it('the end of a long message is accepted although its caller exceeds the budget, and another one is not', () => {
  const budget = createByteBudgets(MAX_BYTES)('caller');
  const charge = new ConnectionCharge(budget);
  expect(charge.receive(10_000)).toBe(true);
  budget.add(MAX_BYTES);
  expect([charge.receive(0), charge.receive(10_000)]).toEqual([true, false]);
});
