/** Builds the explorer page into dist/explorer, unless the last build is newer than its inputs. */
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const source = path.dirname(fileURLToPath(import.meta.url));
const project = path.dirname(source);
const output = path.join(project, 'dist', 'explorer');
/** Written last, with the start of the build as its date, so that an input edited during the build counts as newer. */
const stamp = path.join(output, '.built');

const COMPRESSIBLE = /\.(html|js|css|svg|json|ttf)$/;
/** Below the maximum quality, which would take longer than bundling and save only a few percent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 } };

/** Lists a folder with all its files and folders. The date of a folder changes when a file is removed. */
async function listTree(folder) {
  const entries = await readdir(folder, { recursive: true });
  return [folder, ...entries.map((entry) => path.join(folder, entry))];
}

async function modifiedAt(file) {
  return (await stat(file)).mtimeMs;
}

async function isFresh() {
  const inputs = [...(await listTree(source)), path.join(project, 'package-lock.json')];
  const builtAt = await modifiedAt(stamp).catch(() => 0);
  return Math.max(...(await Promise.all(inputs.map(modifiedAt)))) < builtAt;
}

async function bundle() {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: source,
    base: '/explorer/',
    mode: 'production',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir: output,
      emptyOutDir: true,
      sourcemap: false,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 6_000,
      rolldownOptions: {
        // GraphiQL logs each worker it starts; remove these messages.
        treeshake: { manualPureFunctions: ['console.info'] },
        // Libraries mark modules with "use client" for server rendering, which this page does not use. Timings of plugins
        // would be the first lines that a newcomer sees on a slow machine.
        checks: { moduleLevelDirective: false, pluginTimings: false },
      },
    },
  });
}

async function compress(file) {
  const content = await readFile(file);
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, brotliOptions),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)]);
}

async function build() {
  const startedAt = new Date();
  await bundle();
  const files = await listTree(output);
  await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map(compress));
  await writeFile(stamp, '');
  await utimes(stamp, startedAt, startedAt);
}

if (!(await isFresh())) await build();
