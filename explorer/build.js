/** Builds the explorer page into dist/explorer, unless the last build is newer than its inputs. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isFresh, listTree, writeStamp } from '../scripts/isFresh.js';

const source = path.dirname(fileURLToPath(import.meta.url));
const project = path.dirname(source);
const output = path.join(project, 'dist', 'explorer');
const stamp = path.join(output, '.built');

const COMPRESSIBLE = /\.(html|js|css|svg|json|ttf)$/;
/** Below the maximum quality, which would take longer than bundling and save only a few percent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 } };

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
  await writeStamp(stamp, startedAt);
}

const inputs = [
  ...(await listTree(source)),
  ...['package-lock.json', 'scripts/isFresh.js'].map((name) => path.join(project, name)),
];
if (!(await isFresh(stamp, inputs))) await build();
