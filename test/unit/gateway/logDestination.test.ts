/** The destination of log lines, on descriptors that refuse them. */
import { execFileSync } from 'node:child_process';
import { constants, readSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogDestination } from '../../../src/gateway/logging.js';
import { cleanUpAfterTest } from '../../support/cleanUp.js';
import { until } from '../../support/http/edgeGateway.js';

const opened: FileHandle[] = [];
const folders: string[] = [];

cleanUpAfterTest(async () => {
  for (const handle of opened.splice(0)) await handle.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A pipe that nobody reads: it accepts 64 KB, and then refuses. */
async function openPipe(): Promise<number> {
  return openFile(await makePipe(), constants.O_RDWR | constants.O_NONBLOCK);
}

async function makePipe(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'log-'));
  folders.push(folder);
  const file = path.join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  return file;
}

async function openFile(file: string, flags: number): Promise<number> {
  const handle = await open(file, flags);
  opened.push(handle);
  return handle.fd;
}

function readAvailable(fd: number): string {
  const buffer = Buffer.alloc(1024 * 1024);
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } catch {
    return '';
  }
}

const lineOf = (index: number) => `${String(index).padStart(999, '.')}\n`;

/** With enough time for a busy machine. */
const createDestination = (fd: number) => new LogDestination(fd, { maxFlushMs: 30_000 });

/** Each test waits for its last write: a later one would go to the next file with the same descriptor. */
describe('the destination of log lines', () => {
  it('keeps no more lines than its bound for a pipe that is not read, and writes on when it is read', async () => {
    const fd = await openPipe();
    const destination = new LogDestination(fd, { maxBytes: 100_000 });
    for (let index = 0; index < 1000; index++) destination.write(lineOf(index));
    let text = '';
    await until(() => {
      text += readAvailable(fd);
      return text.length >= 100_000;
    });
    expect(text).toBe(Array.from({ length: 100 }, (_, index) => lineOf(index)).join(''));
    destination.write('next\n');
    await until(() => {
      text += readAvailable(fd);
      return text.endsWith('next\n');
    });
    expect(text).toHaveLength(100_005);
    expect(destination.droppedLines).toBe(900);
  });

  it('writes on after writes that failed', async () => {
    const file = await makePipe();
    const first = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const destination = createDestination(await openFile(file, constants.O_WRONLY | constants.O_NONBLOCK));
    await first.close();
    // EPIPE.
    destination.write('lost\n');
    destination.flush();
    const second = await openFile(file, constants.O_RDONLY | constants.O_NONBLOCK);
    let text = '';
    await until(() => {
      destination.write('next\n');
      text += readAvailable(second);
      return text.endsWith('next\n');
    });
    expect(text).toMatch(/^(next\n)+$/);
    expect(destination.droppedLines).toBeGreaterThanOrEqual(1);
    await destination.untilIdle();
  });

  it('counts the lines that a full disk does not accept', async () => {
    const destination = createDestination(await openFile('/dev/full', constants.O_WRONLY));
    for (const line of ['in flight\n', 'waiting\n', 'waiting, too\n']) destination.write(line);
    await destination.untilIdle();
    expect(destination.droppedLines).toBe(3);
  });

  it('drops the lines of a full disk at exit', async () => {
    const destination = createDestination(await openFile('/dev/full', constants.O_WRONLY));
    destination.write('in flight\n');
    destination.write('waiting\n');
    expect(() => destination.flush()).not.toThrow();
    expect(destination.droppedLines).toBe(1);
    await destination.untilIdle();
    expect(destination.droppedLines).toBe(2);
  });

  it('gives up at exit while a pipe is not read', async () => {
    const fd = await openPipe();
    const destination = new LogDestination(fd, { maxFlushMs: 20 });
    destination.write(lineOf(0));
    for (let index = 1; index < 100; index++) destination.write(lineOf(index));
    destination.flush();
    let text = '';
    await until(() => {
      text += readAvailable(fd);
      return text.includes(lineOf(0));
    });
    expect(text).not.toContain(lineOf(99));
  });

  it('escapes characters of callers that change how a terminal shows a line', async () => {
    const fd = await openPipe();
    const destination = createDestination(fd);
    const fields = { reason: 'https://\u009b31m \u009d0;title\u009c \u007f \u2028 \u202e \u2069 é 😀' };
    destination.write(`${JSON.stringify(fields)}\n`);
    await destination.untilIdle();
    const line = readAvailable(fd);
    expect(line.slice(0, -1)).toMatch(/^[ -~é😀]+$/u);
    expect(JSON.parse(line)).toEqual(fields);
  });

  it('is idle when all lines are written', async () => {
    const fd = await openPipe();
    const destination = createDestination(fd);
    destination.write('one\n');
    destination.write('two\n');
    await destination.untilIdle();
    expect(readAvailable(fd)).toBe('one\ntwo\n');
  });

  it('does not wait longer than its limit for a reader', async () => {
    const fd = await openPipe();
    const destination = new LogDestination(fd, { maxFlushMs: 20 });
    for (let index = 0; index < 100; index++) destination.write(lineOf(index));
    await destination.untilIdle();
    let text = readAvailable(fd);
    expect(text.length).toBeLessThanOrEqual(65_536);
    await until(() => {
      text += readAvailable(fd);
      return text.length >= 100_000;
    });
  });

  it('writes the waiting lines at exit', async () => {
    const fd = await openPipe();
    const destination = createDestination(fd);
    destination.write('one\n');
    destination.write('two\n');
    destination.flush();
    expect(readAvailable(fd)).toContain('two\n');
    await destination.untilIdle();
  });
});
