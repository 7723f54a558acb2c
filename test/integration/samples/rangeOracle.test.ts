/** Ranges of generated streams, page by page, compared with the sandbox's rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toText } from '../../support/gateway.js';
import { addSamples } from '../../support/samples/generatedStream.js';
import {
  DAY,
  range,
  samplesOf,
  startStreamPool,
  stream,
  textRange,
} from '../../support/samples/streamPlans.js';

const { gateway, pool } = await startStreamPool();

describe('samples', () => {
  interface PageInfo {
    hasNextPage: boolean;
    endCursor: string | null;
  }
  interface Page {
    stream: {
      samples: {
        totalCount: number;
        nodes: { platformId: string; value: number | null; rawValue: string; sampledAt: string }[];
        pageInfo: PageInfo;
      };
    };
  }
  const PAGE = `query ($id: ID!, $range: TimeRange!, $first: Int, $after: String, $order: OrderDirection) {
    stream(id: $id) { samples(range: $range, first: $first, after: $after, order: $order) {
      totalCount nodes { platformId value rawValue sampledAt } pageInfo { hasNextPage endCursor } } } }`;

  async function* readPages(variables: object) {
    let after: string | null = null;
    do {
      const page: Page = await gateway.ask(PAGE, { ...variables, after });
      yield page.stream.samples;
      const { hasNextPage, endCursor }: PageInfo = page.stream.samples.pageInfo;
      after = hasNextPage ? endCursor : null;
    } while (after !== null);
  }

  it('paged in either order contain each sample of the range once, while late ones arrive', async () => {
    const first = fc.constantFrom(13, 60, 400, 1000);
    const order = fc.constantFrom('ASC', 'DESC');
    const arrival = fc.array(fc.integer({ min: 0, max: 2 * DAY }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(stream, range, first, order, arrival, async (plan, span, count, direction, late) => {
        const id = pool.fill(samplesOf(plan));
        const wanted = textRange(plan, span);
        const rows = pool.rowsIn(id, wanted);
        const found: Page['stream']['samples']['nodes'] = [];
        const pages = readPages({ id, range: wanted, first: count, order: direction });
        for await (const { nodes, totalCount } of pages) {
          if (found.length === 0) expect(totalCount).toBe(rows.length);
          found.push(...nodes);
          const second = late.pop();
          if (second !== undefined) addSamples(gateway, id, [{ at: plan.start + second, value: 1 }]);
        }
        const known = new Map(rows.map((row) => [String(row.id), row]));
        const ours = found.filter(({ platformId }) => known.has(platformId));
        const expected = rows.map(toNode);
        expect(ours).toEqual(direction === 'ASC' ? expected : expected.reverse());
        expect(new Set(found.map(({ platformId }) => platformId)).size).toBe(found.length);
      }),
      { numRuns: 40 },
    );
  });
});

/** A row of the sandbox in the form of the graph. */
function toNode({ id, at, value }: { id: number; at: number; value: number | string }) {
  const isNumber = typeof value === 'number';
  return {
    platformId: String(id),
    sampledAt: toText(at),
    value: isNumber ? value : null,
    rawValue: isNumber ? value.toFixed(4) : value,
  };
}
