/** Files of settings: a read ends for every kind of file. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readFileOnce, readTextFile, rereadFiles, watchFiles } from '../../../src/lib/settingFiles.js';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a file of a setting', () => {
  let directory: string;
  const at = (name: string) => path.join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'fieldgraph-files-'));
    writeFileSync(at('secret'), '\uFEFFs3cret\n');
    // Kubernetes mounts secrets as links.
    symlinkSync('secret', at('link'));
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 16 * 1024 * 1024 + 1);
    execFileSync('mkfifo', [at('pipe')]);
  });
  afterAll(() => rm(directory, { recursive: true }));

  it.each(['secret', 'link'])('is read without its byte order mark (%s)', async (name) => {
    expect(await readTextFile(at(name))).toBe('s3cret\n');
    expect(readFileOnce(at(name))).toBe('s3cret\n');
  });

  it('is read to its end if the system reports no size', async () => {
    expect(await readTextFile('/proc/self/status')).toContain('Name:');
    expect(readFileOnce('/proc/self/status')).toContain('Name:');
  });

  it.each([
    ['/dev/zero', /^\/dev\/zero is a device, not a regular file$/],
    ['.', /^\. is a directory$/],
    ['huge', /huge has more than 16 MB$/],
  ])('is refused if it is %s', async (name, message) => {
    const file = name === 'huge' ? at(name) : name;
    await expect(readTextFile(file)).rejects.toThrow(message);
    expect(() => readFileOnce(file)).toThrow(message);
  });

  it('that is a pipe is refused where it is read again', async () => {
    await expect(readTextFile(at('pipe'))).rejects.toThrow(/is a pipe, not a regular file$/);
  });

  it('that is a pipe is empty without a writer, and refused if its writer does not end', () => {
    expect(readFileOnce(at('pipe'))).toBe('');
    const writer = openSync(at('pipe'), 'r+');
    expect(() => readFileOnce(at('pipe'), 30)).toThrow(/is a pipe that does not end$/);
    closeSync(writer);
  });
});

describe('a directory of a setting', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is applied when two reads in a row are equal', async () => {
    const applied: string[][] = [];
    let files = ['a'];
    const apply = (content: string[]) => void applied.push(content);
    const options = { read: async () => [...files], apply, onFailure: () => {}, isDirectory: true };
    const watched = rereadFiles(options, files);
    for (const next of [['a', 'b'], ['b'], ['b', 'c'], ['b', 'c'], ['b', 'c']]) {
      files = next;
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(applied).toEqual([['b', 'c']]);
    watched.close();
  });

  it('is stored once, however often it is read', async () => {
    const contents: WeakRef<string[]>[] = [];
    const read = async () => {
      const content = ['a'];
      contents.push(new WeakRef(content));
      return content;
    };
    const watched = await watchFiles({ read, apply: () => {}, onFailure: () => {}, isDirectory: true });
    await vi.advanceTimersByTimeAsync(5000);
    await setImmediate();
    collectGarbage();
    expect(contents.map((content) => content.deref() !== undefined)).toEqual([true, ...Array(5).fill(false)]);
    watched.close();
  });

  it('is read less often if a read takes long', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      vi.advanceTimersByTime(100);
    };
    const watched = rereadFiles({ read, apply: () => {}, onFailure: () => {}, isDirectory: true });
    await vi.advanceTimersByTimeAsync(20_000);
    watched.close();
    expect(reads).toBe(4);
  });

  it('is read again soon after a read that a busy event loop delays', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) vi.advanceTimersByTime(15_000);
    };
    const watched = rereadFiles({ read, apply: () => {}, onFailure: () => {}, isDirectory: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(reads).toBe(1);
    await vi.advanceTimersByTimeAsync(10_500);
    watched.close();
    expect(reads).toBe(2);
  });
});
