/**
 * Runs before `npm pack`: removes the bundled packages from the dependencies in `package.json`, because installations must
 * not install them again. `--restore` runs after the package is made.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const manifestFile = path.join(project, 'package.json');
/** Neither git nor npm sees it. */
const backupFile = path.join(project, 'node_modules/.cache/fieldgraph/package.json');

function withoutBundled(text) {
  const { dependencies, ...rest } = JSON.parse(text);
  const bundled = JSON.parse(readFileSync(path.join(project, 'dist/server/packages.json'), 'utf8'));
  for (const { name } of bundled) delete dependencies[name];
  return `${JSON.stringify({ ...rest, dependencies }, null, 2)}\n`;
}

if (process.argv.includes('--restore')) {
  writeFileSync(manifestFile, readFileSync(backupFile));
  rmSync(backupFile);
} else if (existsSync(backupFile)) {
  throw new Error(
    'An interrupted run has left package.json changed: run `node scripts/packManifest.js --restore`.',
  );
} else {
  const manifest = readFileSync(manifestFile, 'utf8');
  mkdirSync(path.dirname(backupFile), { recursive: true });
  writeFileSync(backupFile, manifest);
  writeFileSync(manifestFile, withoutBundled(manifest));
}
