/** The memory of one caller: charged, refused, queued in order, and freed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteBudgets } from '../../../src/lib/byteBudget.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a byte budget', () => {
  it('is shared under one name', () => {
    const budgets = createByteBudgets(100, Number.POSITIVE_INFINITY);
    budgets('a').add(40);
    budgets('a').add(61);
    expect(budgets('a').isExceeded()).toBe(true);
    expect(budgets('b').isExceeded()).toBe(false);
    budgets('a').add(-101);
    expect(budgets('a').used()).toBe(0);
  });

  it('is an equal part of a quarter of the heap while all callers occupy more than that', () => {
    const budgets = createByteBudgets(100, 4 * 120);
    const [a, b, c] = [budgets('a'), budgets('b'), budgets('c')];
    a.add(90);
    b.add(20);
    expect([a.isExceeded(), a.hasRoomFor(1), b.hasRoomFor(30)]).toEqual([false, false, true]);
    c.add(20);
    // 130 bytes of 120: each caller may occupy 40, and start work with half of them.
    expect([a.isExceeded(), b.isExceeded(), c.isExceeded()]).toEqual([true, false, false]);
    expect([b.hasRoomFor(0), b.hasRoomFor(1)]).toEqual([true, false]);
    a.add(-20);
    expect([a.isExceeded(), b.hasRoomFor(30)]).toEqual([false, true]);
    for (const [budget, bytes] of [
      [a, 70],
      [b, 20],
      [c, 20],
    ] as const)
      budget.add(-bytes);
    a.add(100);
    expect(a.isExceeded()).toBe(false);
  });

  it('admits new holders up to half of it only', () => {
    const budget = createByteBudgets(100, Number.POSITIVE_INFINITY)('a');
    budget.add(30);
    expect(budget.hasRoomFor(20)).toBe(true);
    expect(budget.hasRoomFor(21)).toBe(false);
  });

  it('grants reservations in order, as soon as they fit', async () => {
    const budget = createByteBudgets(100, Number.POSITIVE_INFINITY)('a');
    budget.add(30);
    const granted: string[] = [];
    const reserve = (name: string, bytes: number) => {
      const reservation = budget.reserve(bytes);
      void reservation.granted.then((isGranted) => granted.push(`${name} ${isGranted}`));
      return reservation;
    };
    const first = reserve('first', 50);
    const second = reserve('second', 50);
    reserve('third', 10);
    await settled();
    expect(granted).toEqual(['first true']);
    second.release();
    first.release();
    first.release();
    await settled();
    expect(granted).toEqual(['first true', 'second false', 'third true']);
    expect(budget.used()).toBe(40);
  });

  it('charges half of it for a larger reservation, so that it fits beside open connections', async () => {
    const budget = createByteBudgets(10, Number.POSITIVE_INFINITY)('a');
    budget.add(5);
    const [one, other] = [budget.reserve(50), budget.reserve(50)];
    expect(await one.granted).toBe(true);
    expect([budget.used(), budget.isExceeded()]).toEqual([10, false]);
    one.release();
    expect(await other.granted).toBe(true);
    other.release();
    expect(budget.used()).toBe(5);
  });

  it('admits new work beside reservations, which occupy half of it together', async () => {
    const budget = createByteBudgets(100, Number.POSITIVE_INFINITY)('a');
    const [first, second, third] = [budget.reserve(30), budget.reserve(20), budget.reserve(1)];
    expect([await first.granted, await second.granted]).toEqual([true, true]);
    expect([budget.used(), budget.hasRoomFor(50), budget.hasRoomFor(51)]).toEqual([50, true, false]);
    budget.add(50);
    expect([budget.isExceeded(), budget.hasRoomFor(0), budget.hasRoomFor(1)]).toEqual([false, true, false]);
    first.release();
    expect(await third.granted).toBe(true);
    expect(budget.used()).toBe(71);
  });

  it('never grants more than half of its size, and is empty in the end', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.infiniteStream(fc.nat()), async (reserved, picks) => {
        const budget = createByteBudgets(100, Number.POSITIVE_INFINITY)('a');
        const open = reserved.map((bytes) => budget.reserve(bytes));
        while (open.length > 0) {
          expect(budget.used()).toBeLessThanOrEqual(50);
          const [one] = open.splice((picks.next().value ?? 0) % open.length, 1);
          one?.release();
        }
        expect(budget.used()).toBe(0);
      }),
    );
  });
});
