/** The benchmark's statistics, targets and options. */
import { describe, expect, it } from 'vitest';
import { median, percentile } from '../../../bench/shared/statistics.js';
import type { Cell, ServerName } from '../../../bench/speed/cells.js';
import { judge } from '../../../bench/speed/judged.js';
import type { Result } from '../../../bench/speed/measure.js';
import { readOptions } from '../../../bench/speed/options.js';

function toResult(server: ServerName, cell: Omit<Cell, 'servers'>, requestsPerSecond: number[]): Result {
  const rounds = requestsPerSecond.map((rate) => ({
    requestsPerSecond: rate,
    p50Ms: 1000 / rate,
    p99Ms: 0,
    restCalls: 0,
    cpuMicroseconds: 1e6 / rate,
    cpuShare: 1,
    loadShare: 0.5,
  }));
  return { server, cell: { ...cell, servers: [] }, rounds };
}

describe('medians and percentiles', () => {
  it('interpolate between values', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0]);
    expect(percentile([0, 10, 20], 0.99)).toBeCloseTo(19.8);
  });
});

const hotQ1 = { workload: 'Q1', mode: 'hot', latencyMs: 0, connections: 32 } as const;
const calmQ2 = { workload: 'Q2', mode: 'cold', latencyMs: 5, connections: 1 } as const;

describe('the judgement', () => {
  const judgeHot = (gateway: number) => {
    const results = [toResult('gateway', hotQ1, [1, gateway, 9999]), toResult('ceiling', hotQ1, [1000])];
    return judge({ results, gatewayMegabytes: 250 })[0];
  };

  it('compares medians with the target and with the bound in CI', () => {
    expect(judgeHot(700)).toMatchObject({ measured: 0.7, byCpu: 0.7, isMet: true, isWithinFloor: true });
    expect(judgeHot(600)).toMatchObject({ isMet: false, isWithinFloor: true });
    expect(judgeHot(100)).toMatchObject({ isMet: false, isWithinFloor: false });
  });

  it('reverses the comparison for maxima and skips figures that were not measured', () => {
    const results = [toResult('gateway', calmQ2, [10]), toResult('REST call', calmQ2, [70])];
    const judgements = judge({ results, gatewayMegabytes: 150 });
    expect(judgements).toMatchObject([
      { measured: 7, isMet: false, isWithinFloor: true },
      { name: 'peak memory of a gateway, MB', isMet: true },
    ]);
  });
});

const executedQ2 = { workload: 'Q2', mode: 'warm', latencyMs: 0, connections: 32 } as const;

describe('the cost of traces', () => {
  const judgeTraces = (results: Parameters<typeof judge>[0]['results']) =>
    judge({ results, gatewayMegabytes: 150 }).slice(0, -1);

  it('is compared with requests of the same gateway that are not sampled, round by round', () => {
    const results = [
      toResult('unsampled', executedQ2, [1000, 800, 1000]),
      toResult('traced', executedQ2, [800, 640, 100]),
    ];
    expect(judgeTraces(results)).toMatchObject([{ measured: 1.25, isMet: false, isWithinFloor: false }]);
  });

  it('without samples is compared with both gateways without tracing', () => {
    const results = [
      toResult('untraced', executedQ2, [1000, 1000, 900]),
      toResult('untraced again', executedQ2, [1000, 1000, 1100]),
      toResult('unsampled', executedQ2, [800, 800, 100]),
    ];
    expect(judgeTraces(results)).toMatchObject([{ measured: 1.25, isMet: false, isWithinFloor: false }]);
  });
});

describe('the options', () => {
  it('select measurements', () => {
    const { cells, measuresStart } = readOptions(['--only', 'q2', '--mode', 'warm', '--servers', 'gateway']);
    expect(cells.map(({ connections }) => connections)).toEqual([32, 1]);
    expect(cells.map(({ servers }) => servers)).toEqual([['gateway'], ['gateway']]);
    expect(measuresStart).toBe(false);
  });

  it('select everything by default and reject unknown options', () => {
    expect(readOptions([]).cells).toHaveLength(32);
    expect(readOptions(['--only', 'start'])).toMatchObject({ cells: [], measuresStart: true });
    expect(() => readOptions(['--round', '3'])).toThrow('--round');
    expect(() => readOptions(['--rounds', 'many'])).toThrow('above 0');
  });
});
