/** The memory that one caller may hold: charged, refused, waited for in order, and forgotten. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteBudgets } from '../../../src/lib/byteBudget.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a byte budget', () => {
  it('is one for all that ask by the same name', () => {
    const budgets = createByteBudgets(100);
    budgets('a').add(40);
    budgets('a').add(61);
    expect(budgets('a').isExceeded()).toBe(true);
    expect(budgets('b').isExceeded()).toBe(false);
    budgets('a').add(-101);
    expect(budgets('a').used()).toBe(0);
  });

  it('takes new holders up to its half only', () => {
    const budget = createByteBudgets(100)('a');
    budget.add(30);
    expect(budget.hasRoomFor(20)).toBe(true);
    expect(budget.hasRoomFor(21)).toBe(false);
  });

  it('grants reservations in their order, as soon as they fit', async () => {
    const budget = createByteBudgets(100)('a');
    const granted: string[] = [];
    const reserve = (name: string, bytes: number) => {
      const reservation = budget.reserve(bytes);
      void reservation.granted.then((isGranted) => granted.push(`${name} ${isGranted}`));
      return reservation;
    };
    const first = reserve('first', 60);
    const second = reserve('second', 60);
    reserve('third', 10);
    await settled();
    expect(granted).toEqual(['first true']);
    second.release();
    first.release();
    first.release();
    await settled();
    expect(granted).toEqual(['first true', 'second false', 'third true']);
    expect(budget.used()).toBe(10);
  });

  it('grants a reservation that is larger than all of it when nothing else is held', async () => {
    const reservation = createByteBudgets(10)('a').reserve(50);
    expect(await reservation.granted).toBe(true);
  });

  it('never grants more than it has, and holds nothing in the end', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.infiniteStream(fc.nat()), async (reserved, picks) => {
        const budget = createByteBudgets(100)('a');
        const open = reserved.map((bytes) => budget.reserve(bytes));
        while (open.length > 0) {
          expect(budget.used()).toBeLessThanOrEqual(100);
          const [one] = open.splice((picks.next().value ?? 0) % open.length, 1);
          one?.release();
        }
        expect(budget.used()).toBe(0);
      }),
    );
  });
});
