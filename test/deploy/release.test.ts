/** `npm run release`: version, changelog, tag and package, and a dry run that changes nothing. How CI publishes a tag. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startPlainServer } from '../support/http/edgeGateway.js';

const project = fileURLToPath(new URL('../../', import.meta.url));
const script = path.join(project, 'scripts/release.js');

describe('the release script', () => {
  let folder: string;
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  function release(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-release-'));
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "example", "version": "0.1.0" }\n');
    // A file that git does not ignore would block the next release.
    copyFileSync(path.join(project, '.gitignore'), path.join(folder, '.gitignore'));
    writeFileSync(
      path.join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A command.\n\n## [0.1.0] - 2026-01-01\n\n- The first one.\n',
    );
    git('init', '--quiet');
    for (const name of ['user.name', 'user.email']) git('config', name, 'test@example.com');
    git('config', 'commit.gpgsign', 'false');
    git('config', 'tag.gpgsign', 'false');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [['0.1.0'], 'not later'],
    [['0.0.9'], 'not later'],
    [[], 'Usage'],
    [['next'], 'Usage'],
  ])('refuses %j', (args, message) => {
    expect(release(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
  });

  it('shows the release in a dry run, and changes nothing', () => {
    const { status, stdout } = release('minor', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('Version 0.1.0 -> 0.2.0, tag v0.2.0');
    expect(stdout).toContain('- A command.');
    expect(stdout).toContain('example-0.2.0.tgz would have 2 files:\nCHANGELOG.md\npackage.json\n');
    expect(git('status', '--porcelain') + git('tag')).toBe('');
    expect(existsSync(path.join(folder, 'example-0.2.0.tgz'))).toBe(false);
  });

  it('sets the version, closes the section of the changelog, packs, commits and tags', () => {
    expect(release('minor')).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A command\.\n\n## \[0\.1\.0\]/,
    );
    expect(existsSync(path.join(folder, 'example-0.2.0.tgz'))).toBe(true);
    expect(git('log', '-1', '--format=%s').trim()).toBe('Release 0.2.0');
    expect(git('cat-file', '-p', 'v0.2.0')).toContain('- A command.');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('refuses an empty section, and a worktree with changes', () => {
    expect(release('patch')).toMatchObject({ status: 1, stderr: expect.stringContaining('is empty') });
    writeFileSync(path.join(folder, 'CHANGELOG.md'), '## [Unreleased]\n\n- More.\n');
    expect(release('patch')).toMatchObject({ status: 1, stderr: expect.stringContaining('not committed') });
  });
});

describe('.github/workflows/release.yml', () => {
  const { jobs } = parse(readFileSync(path.join(project, '.github/workflows/release.yml'), 'utf8')) as {
    jobs: { publish: { steps: { run?: string }[] } };
  };
  const commands = jobs.publish.steps.flatMap(({ run = '' }) => (run === '' ? [] : [run]));
  const isChange = (command: string) => command.startsWith('npm pkg set ');

  it('publishes a packed file, not the folder', () => {
    const published = commands.filter((command) => command.includes('npm publish'));
    expect(published).toEqual([expect.stringMatching(/ \S+\.tgz$/)]);
  });

  it('announces the dependencies of the packed package, as scripts changed them for packing', async () => {
    const temporary = mkdtempSync(path.join(tmpdir(), 'fieldgraph-publish-'));
    const cwd = path.join(temporary, 'package');
    const bodies: string[] = [];
    const { url } = await startPlainServer((request, response) => {
      const isPublished = request.method === 'PUT';
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        if (isPublished) bodies.push(body);
        response.writeHead(isPublished ? 201 : 404, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    const manifest = {
      ...{ name: 'fieldgraph', version: '1.2.3', dependencies: { bundled: '1.0.0', kept: '1.0.0' } },
      scripts: {
        prepack: 'npm pkg delete dependencies.bundled',
        postpack: 'npm pkg set dependencies.bundled=1.0.0',
      },
    };
    const address = url.replace('http:', '');
    // Without the variables of CI, so that npm asks no other server for an identity.
    const env = {
      ...{ PATH: process.env['PATH'], HOME: temporary, RUNNER_TEMP: temporary },
      ...{ GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'example/fieldgraph' },
      ...{ npm_config_cache: path.join(temporary, 'cache'), npm_config_update_notifier: 'false' },
    };
    try {
      mkdirSync(cwd);
      writeFileSync(path.join(cwd, 'package.json'), JSON.stringify(manifest));
      writeFileSync(path.join(cwd, '.npmrc'), `registry=${url}/\n${address}/:_authToken=token\n`);
      for (const command of commands.slice(commands.findIndex(isChange))) {
        await promisify(execFile)('bash', ['-e', '-c', command], { cwd, env });
      }
      const [{ versions = {} } = {}] = bodies.map(
        (body) =>
          JSON.parse(body) as { versions?: Record<string, { dependencies: object; repository: object }> },
      );
      expect(bodies).toHaveLength(1);
      expect(versions['1.2.3']).toMatchObject({
        repository: { url: 'git+https://git.example/example/fieldgraph.git' },
      });
      expect(versions['1.2.3']?.dependencies).toEqual({ kept: '1.0.0' });
    } finally {
      rmSync(temporary, { recursive: true });
    }
  });
});
