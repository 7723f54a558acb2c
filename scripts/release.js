/**
 * Makes a release: sets the version, gives the section "Unreleased" of the changelog its number and date, packs the
 * package, commits and tags. Publishing is left to CI, which runs for each tag.
 *
 *     npm run release -- minor --dry-run    # builds, prints what it would do, and changes nothing else
 *     npm run release -- 0.2.0
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const HEADING = '## [Unreleased]';
/** Files that name the version of the image. */
const IMAGE_FILES = ['deploy/kubernetes/overlays/production/kustomization.yaml'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});

function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

/** @throws unless the argument is major, minor, patch or a later version. */
function nextVersion(current, wanted = '') {
  const now = current.split('.').map(Number);
  const steps = {
    major: [now[0] + 1, 0, 0],
    minor: [now[0], now[1] + 1, 0],
    patch: [now[0], now[1], now[2] + 1],
  };
  const next = steps[wanted] ?? (/^\d+\.\d+\.\d+$/.test(wanted) ? wanted.split('.').map(Number) : undefined);
  if (next === undefined) throw new Error('Usage: npm run release -- major|minor|patch|VERSION [--dry-run]');
  const place = next.findIndex((part, index) => part !== now[index]);
  if (place === -1 || next[place] < now[place]) throw new Error(`${wanted} is not later than ${current}.`);
  return next.join('.');
}

/** The changelog with a section for the version, and the text of that section. */
function splitChangelog(text, version, date) {
  const [before, rest] = text.split(`${HEADING}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section ${HEADING}.`);
  const end = rest.search(/^## \[/m);
  const section = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (!/^- /m.test(section)) throw new Error(`The section ${HEADING} of CHANGELOG.md is empty.`);
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return { section, text: `${before}${HEADING}\n\n## [${version}] - ${date}\n\n${section}\n${older}` };
}

function checkRepository(tag) {
  if (run('git', 'status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed.');
  if (run('git', 'tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists.`);
}

/** The files that the package would have. Its scripts build them, and restore `package.json` afterwards. */
function listPackedFiles() {
  const output = run('npm', 'pack', '--dry-run', '--json', '--loglevel=error');
  // npm 11 prints a list, later versions print an object by package name. Scripts may print before it.
  const [packed] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))));
  return packed.files.map((file) => file.path);
}

function release() {
  const { name, version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const version = nextVersion(current, positionals[0]);
  const tag = `v${version}`;
  checkRepository(tag);
  const date = new Date().toISOString().slice(0, 10);
  const changelog = splitChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date);
  print(`Version ${current} -> ${version}, tag ${tag}\n\n${changelog.section}\n`);
  if (values['dry-run']) {
    const files = listPackedFiles();
    print(`${name}-${version}.tgz would have ${files.length} files:\n${files.join('\n')}\n`);
    print('Dry run: nothing was changed.');
    return;
  }
  run('npm', 'version', version, '--no-git-tag-version');
  writeFileSync('CHANGELOG.md', changelog.text);
  for (const file of IMAGE_FILES.filter((name) => existsSync(name))) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(newTag: )[\w.]+/, `$1${version}`));
  }
  const lines = run('npm', 'pack', '--loglevel=error').split('\n');
  run('git', 'add', '--update');
  run('git', 'commit', '--quiet', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', tag, '--message', `${version}\n\n${changelog.section}`);
  print(`Packed ${lines.at(-1)}. To publish: git push origin HEAD ${tag}`);
}

try {
  release();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
