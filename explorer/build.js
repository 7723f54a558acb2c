/** Builds the explorer page into dist/explorer, and does nothing when what is there is newer than its inputs. */
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const source = path.dirname(fileURLToPath(import.meta.url));
const project = path.dirname(source);
const output = path.join(project, 'dist', 'explorer');
/** Written last and dated with the start of the build: an input edited meanwhile counts as newer. */
const stamp = path.join(output, '.built');

const COMPRESSIBLE = /\.(html|js|css|svg|json|ttf)$/;
/** Below the maximum, which would take longer than the bundling itself for a few percent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 } };

/** Every file and folder under a folder; folders count as inputs because their date tells of removals. */
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
        // GraphiQL announces each worker it starts in the console; nobody reads that.
        treeshake: { manualPureFunctions: ['console.info'] },
        // Libraries mark modules "use client" for server rendering: none of this page's business.
        checks: { moduleLevelDirective: false },
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
