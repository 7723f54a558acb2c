/**
 * Prints the production packages of the lockfile as CycloneDX. `npm sbom --omit dev` also leaves out production
 * packages that development tools need, so npm gets a lockfile without development dependencies.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

function withoutDevelopment({ devDependencies, overrides, scripts, ...rest }) {
  return rest;
}

const manifest = withoutDevelopment(read('package.json'));
const lockfile = read('package-lock.json');
const packages = Object.entries(lockfile.packages)
  .filter(([, { dev }]) => !dev)
  .map(([name, entry]) => [name, name === '' ? withoutDevelopment(entry) : entry]);

const folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-sbom-'));
try {
  // npm names the component after the folder.
  const project = path.join(folder, manifest.name);
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(project, 'package-lock.json'),
    JSON.stringify({ ...lockfile, packages: Object.fromEntries(packages) }),
  );
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const stdio = ['ignore', 'pipe', 'inherit'];
  process.stdout.write(execFileSync('npm', args, { cwd: project, stdio }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
