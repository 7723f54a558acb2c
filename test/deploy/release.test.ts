/** `npm run release`: version, changelog, tag and package, and a dry run that changes nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/release.js', import.meta.url));

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
    writeFileSync(path.join(folder, '.gitignore'), '*.tgz\n');
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
