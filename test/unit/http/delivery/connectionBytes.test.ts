/** The memory of a connection, charged to its caller. */
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import {
  CONNECTION_BYTES,
  ConnectionCharge,
  DocumentUse,
} from '../../../../src/http/delivery/connectionBytes.js';
import { createByteBudgets } from '../../../../src/lib/byteBudget.js';

const MAX_BYTES = 200_000;

it('a connection moves to another caller only if that one has room, and stays with its own without', () => {
  const budgets = createByteBudgets(MAX_BYTES, Number.POSITIVE_INFINITY);
  const [own, full] = [budgets('own'), budgets('full')];
  const charge = new ConnectionCharge(own);
  for (const budget of [own, full]) budget.add(MAX_BYTES);
  expect([charge.moveTo(budgets('own')), charge.moveTo(full)]).toEqual([true, false]);
  expect([own.used(), full.used()]).toEqual([MAX_BYTES + CONNECTION_BYTES, MAX_BYTES]);
  expect(charge.moveTo(budgets('other'))).toBe(true);
  expect([own.used(), budgets('other').used()]).toEqual([MAX_BYTES, CONNECTION_BYTES]);
});

it('the end of a long message is accepted although its caller exceeds the budget, and another one is not', () => {
  const budget = createByteBudgets(MAX_BYTES, Number.POSITIVE_INFINITY)('caller');
  const charge = new ConnectionCharge(budget);
  expect(charge.receive(10_000)).toBe(true);
  budget.add(MAX_BYTES);
  expect([charge.receive(0), charge.receive(10_000)]).toEqual([true, false]);
});

it('a document is charged to each caller once, from its first subscription to the end of its last', () => {
  const budgets = createByteBudgets(MAX_BYTES, Number.POSITIVE_INFINITY);
  const [one, other] = [budgets('one'), budgets('other')];
  const text = `subscription { sampleReceived { ${'id '.repeat(100)} } }`;
  const document = DocumentUse.of(parse(text));
  expect(DocumentUse.of(parse(text))).not.toBe(document);
  const charge = new ConnectionCharge(one);
  const begin = () => charge.addSubscription(0, document);
  const bytes = begin();
  const documentBytes = one.used() - CONNECTION_BYTES - bytes;
  expect(documentBytes).toBeGreaterThan(20_000);
  expect([document.addedBytes(budgets('one')), document.addedBytes(other)]).toEqual([0, documentBytes]);
  begin();
  new ConnectionCharge(other).addSubscription(0, document);
  expect([one.used(), other.used()]).toEqual([
    CONNECTION_BYTES + documentBytes + 2 * bytes,
    CONNECTION_BYTES + documentBytes + bytes,
  ]);
  charge.removeSubscription(bytes, document);
  expect(one.used()).toBe(CONNECTION_BYTES + documentBytes + bytes);
  // A closed connection releases its own bytes at once, and the document when the subscription has ended.
  charge.release();
  expect(one.used()).toBe(documentBytes);
  charge.removeSubscription(bytes, document);
  expect(one.used()).toBe(0);
  begin();
  expect(one.used()).toBe(0);
});

it('a subscription is refused if its document has no room, however short its message is', () => {
  const fields = 'id '.repeat(300);
  const charge = new ConnectionCharge(createByteBudgets(MAX_BYTES, Number.POSITIVE_INFINITY)('caller'));
  const long = DocumentUse.of(parse(`subscription { sampleReceived { ${fields} } }`));
  expect(() => charge.addSubscription(0, long)).toThrow('Too many open connections or subscriptions');
});
