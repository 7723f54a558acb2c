/** Folders stay small, and layers import downwards only, type imports included. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const MAX_ENTRIES = 18;

/** The layers that each layer may import. Files directly in `src` are layers by themselves. */
const belowTimeseries = ['lib', 'errors'];
const belowRest = [...belowTimeseries, 'timeseries'];
const belowSources = [...belowRest, 'rest', 'cache'];
const belowLive = [...belowSources, 'sources'];
const belowGateway = [...belowLive, 'live', 'execution', 'graphql', 'http', 'tracing'];
const belowWorkers = [...belowGateway, 'gateway'];
const belowApp = [...belowWorkers, 'config', 'workers'];
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  errors: [],
  timeseries: belowTimeseries,
  rest: belowRest,
  cache: belowRest,
  sources: belowSources,
  live: belowLive,
  execution: ['lib'],
  tracing: [],
  graphql: [...belowRest, 'cache', 'sources', 'live', 'execution', 'tracing'],
  http: [...belowRest, 'live', 'execution', 'graphql', 'tracing'],
  config: belowGateway,
  gateway: belowGateway,
  workers: belowWorkers,
  sandbox: ['lib'],
  app: [...belowApp, 'sandbox'],
  cli: [...belowApp, 'app'],
  main: [...belowApp, 'app', 'cli'],
};

const root = new URL('../../', import.meta.url);

interface Folder {
  path: string;
  entries: readonly string[];
  files: readonly string[];
}

function listFolders(path: string): Folder[] {
  const entries = readdirSync(new URL(`${path}/`, root), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${path}/${name}`);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => `${path}/${name}`);
  const own = { path, entries: entries.map(({ name }) => name), files };
  return [own, ...folders.flatMap(listFolders)];
}

const folders = listFolders('src');
const files = folders.flatMap((folder) => folder.files).filter((file) => file.endsWith('.ts'));

function layerOf(file: string): string {
  return file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

function listImports(file: string): string[] {
  const text = readFileSync(new URL(file, root), 'utf8');
  const specifiers = text.matchAll(/(?:\bfrom|^import|\bimport\()\s*'(\.[^']*)'/gm);
  return [...specifiers].map(([, specifier = '']) =>
    posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'),
  );
}

/** The entries of the closest common folder that contain both files. */
function neighboursOf(file: string, other: string): [string, string] {
  const [left, right] = [file.split('/'), other.split('/')];
  const length = left.findIndex((part, index) => part !== right[index]) + 1;
  return [left.slice(0, length).join('/'), right.slice(0, length).join('/')];
}

describe('src', () => {
  it('has only three files outside its folders', () => {
    expect(folders[0]?.files).toEqual(['src/app.ts', 'src/errors.ts', 'src/main.ts']);
  });

  it(`has at most ${MAX_ENTRIES} entries in a folder`, () => {
    const tooLarge = folders.filter(({ entries }) => entries.length > MAX_ENTRIES).map(({ path }) => path);
    expect(tooLarge).toEqual([]);
  });

  it('imports lower layers only', () => {
    const imports = files.flatMap((file) => listImports(file).map((imported) => ({ file, imported })));
    expect(imports.length).toBeGreaterThan(files.length);
    const isAllowed = ({ file, imported }: { file: string; imported: string }) => {
      const [from, to] = [layerOf(file), layerOf(imported)];
      if (from === 'sandbox' && imported === 'src/rest/wire.ts') return true;
      return from === to || allowedImports[from]?.includes(to) === true;
    };
    const refused = imports.filter((one) => !isAllowed(one));
    expect(refused.map(({ file, imported }) => `${file} imports ${imported}`)).toEqual([]);
  });

  it('has no circle of imports between neighbouring files and folders', () => {
    const imported = new Map<string, Set<string>>();
    for (const file of files.filter((one) => !one.includes('/generated/'))) {
      for (const [from, to] of listImports(file).map((other) => neighboursOf(file, other))) {
        imported.set(from, (imported.get(from) ?? new Set()).add(to));
      }
    }
    const reach = (from: string, reached = new Set<string>()) => {
      for (const to of imported.get(from) ?? []) if (!reached.has(to)) reach(to, reached.add(to));
      return reached;
    };
    expect([...imported.keys()].filter((from) => reach(from).has(from))).toEqual([]);
  });
});

describe('test/unit and test/property', () => {
  it.each(['unit', 'property'])('mirror src in test/%s', (kind) => {
    const mirrored = listFolders(`test/${kind}`).map(({ path }) => path.replace(`test/${kind}`, 'src'));
    const known = new Set([...folders.map(({ path }) => path), 'src/bench', 'src/explorer']);
    expect(mirrored.filter((path) => !known.has(path))).toEqual([]);
  });
});

it('.gitignore has the files with secrets that the README creates', () => {
  const ignored = readFileSync(new URL('.gitignore', root), 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['keys.json', '*.db', '*.log']));
});
