/** The logger for lines that callers cause: a few of each kind, then a count. */
import { describe, expect, it } from 'vitest';
import { createLimitedLogger } from '../../../src/lib/logger.js';

function createRecorder() {
  let nowMs = 1_000_000;
  const lines: [level: string, fields: object, message: string][] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message]);
  const inner = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const clock = { now: () => nowMs };
  const logger = createLimitedLogger(inner, clock, { lines: 2, windowMs: 1000 });
  return { logger, lines, inner, clock, pass: (ms: number) => (nowMs += ms) };
}

describe('a limited logger', () => {
  it('writes a few lines of a message in a window, and later the number of suppressed ones', () => {
    const { logger, lines, pass } = createRecorder();
    for (let index = 0; index < 1000; index++) logger.error({ index }, 'failed');
    expect(lines).toEqual([
      ['error', { index: 0 }, 'failed'],
      ['error', { index: 1 }, 'failed'],
    ]);
    pass(1000);
    logger.error({ index: 'next' }, 'failed');
    logger.error({ index: 'last' }, 'failed');
    expect(lines.slice(2)).toEqual([
      ['error', { index: 'next', leftOut: 998 }, 'failed'],
      ['error', { index: 'last' }, 'failed'],
    ]);
  });

  it('counts each level and message separately', () => {
    const { logger, lines } = createRecorder();
    for (const message of ['a', 'a', 'a', 'b']) logger.warn({}, message);
    logger.error({}, 'a');
    expect(lines.map(([level, , message]) => `${level} ${message}`)).toEqual([
      'warn a',
      'warn a',
      'warn b',
      'error a',
    ]);
  });

  it('counts each key separately, and a bounded number of keys', () => {
    const { lines, pass, inner, clock } = createRecorder();
    const keyOf = (fields: object) => JSON.stringify(fields);
    const logger = createLimitedLogger(inner, clock, { lines: 1, windowMs: 1000, keyOf });
    for (const caller of ['a', 'a', 'a', 'b']) logger.info({ caller }, 'refused');
    expect(lines.map(([, fields]) => fields)).toEqual([{ caller: 'a' }, { caller: 'b' }]);
    for (let index = 0; index < 10_000; index++) logger.info({ index }, 'refused');
    expect(lines).toHaveLength(201);
    lines.length = 0;
    pass(1000);
    logger.info({ caller: 'c' }, 'refused');
    logger.info({ caller: 'd' }, 'refused');
    expect(lines.map(([, fields]) => fields)).toEqual([{ caller: 'c' }, { caller: 'd' }]);
  });

  it('starts a new window when the clock is set back', () => {
    const { logger, lines, pass } = createRecorder();
    for (let index = 0; index < 3; index++) logger.info({}, 'a');
    pass(-3_600_000);
    logger.info({}, 'a');
    expect(lines.at(-1)).toEqual(['info', { leftOut: 1 }, 'a']);
  });

  it('writes a bounded number of lines, for any number of messages', () => {
    const { logger, lines } = createRecorder();
    for (let index = 0; index < 10_000; index++) logger.warn({}, `message ${index}`);
    expect(lines.length).toBeLessThan(250);
  });
});
