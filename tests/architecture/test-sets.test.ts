import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, expect, test } from 'vitest';
import {
  filesOf,
  isJourney,
  isNamed,
  namedFiles,
  promisesOfRest,
  setOf,
  testFiles,
} from '../../scripts/test-sets.mjs';
import { repositoryRoot } from './repository-root.ts';

const files = testFiles();
const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
const directory = temporaryDirectory();
afterAll(() => directory.remove());

test('the files are those of the tree', () => {
  const options = { cwd: repositoryRoot, encoding: 'utf8' } as const;
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '*.test.ts'],
    options,
  );
  const known = listed
    .trim()
    .split('\n')
    .filter((file) => file !== '');
  // git lists a deleted or moved file until the change is committed, so only existing files are
  // compared.
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
  expect(files.length).toBeGreaterThan(800);
});

test('each name means one file', () => {
  const found = namedFiles.map((name) => [name, files.filter((file) => isNamed(file, name))]);
  expect(found.filter(([, meant]) => meant?.length !== 1)).toEqual([]);
  expect(new Set(namedFiles).size).toBe(namedFiles.length);
});

test('each file is in one set, and both commands of .ci/run have all of them once', () => {
  const [every, rest] = [filesOf('every run'), filesOf('rest')];
  expect([...every, ...rest].sort()).toEqual(files);
  expect(new Set([...every, ...rest]).size).toBe(files.length);
  expect(filesOf('all')).toEqual(files);
  const sets = { rules: 0, 'every run': 0, rest: 0 };
  for (const file of files) sets[setOf(file)] += 1;
  expect(sets.rules).toBeGreaterThan(400);
  expect(every).toHaveLength(sets.rules + sets['every run']);
});

test('every run has eight journeys, and all rules but a few long ones', () => {
  const every = filesOf('every run');
  expect(every.filter(isJourney)).toHaveLength(8);
  const isRule = (file: string) => !isJourney(file) && !file.endsWith('.db.test.ts');
  expect(files.filter((file) => isRule(file) && !every.includes(file)).length).toBeLessThanOrEqual(
    3,
  );
});

test('of each promise with a database test, one is in every run, unless all are too long', () => {
  const every = filesOf('every run');
  const rows = [...read('docs/reference/promises.md').matchAll(/^\| ([A-Q]\d+) \|(.+)\|$/gm)];
  const lacking = rows
    .map(([, id = '', row = '']) => {
      const named = [...row.matchAll(/`[^`]*?([^/`]+\.db\.test\.ts)`/g)].map(
        ([, name = '']) => name,
      );
      return { id, named };
    })
    .filter(({ named }) => named.length > 0)
    .filter(({ named }) => !every.some((file) => named.some((name) => isNamed(file, name))));
  expect(lacking.map(({ id }) => id)).toEqual(Object.keys(promisesOfRest));
});

test('the commands are those of package.json', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts).toMatchObject({
    test: 'node scripts/test.mjs',
    'test:rest': 'node scripts/test.mjs --rest',
    'test:all': 'node scripts/test.mjs --all',
  });
});

function runCi(first: string, rest: string): { code: number; last: string } {
  const tree = path.join(directory.path, `${Math.random()}`);
  for (const folder of ['.ci', 'bin']) mkdirSync(path.join(tree, folder), { recursive: true });
  writeFileSync(path.join(tree, '.ci/run'), read('.ci/run'));
  const npm = `#!/usr/bin/env bash
case "$*" in
  '--silent test') ${first} ;;
  '--silent run test:rest') ${rest} ;;
  *) echo "asked for $*"; exit 9 ;;
esac`;
  writeFileSync(path.join(tree, 'bin/npm'), npm);
  chmodSync(path.join(tree, 'bin/npm'), 0o755);
  const env = { PROOFMARK_REST: '1', ...process.env, PATH: `${tree}/bin:${process.env['PATH']}` };
  const output = execFileSync('bash', ['-c', 'bash .ci/run; echo "code $?"'], { cwd: tree, env });
  const lines = String(output).trim().split('\n');
  return { code: Number(lines.at(-1)?.slice('code '.length)), last: lines.at(-2) as string };
}

test.each([
  ['both green', 'echo 3 passed, 0 failed', 'echo 4 passed, 0 failed', 0, '7 passed, 0 failed'],
  [
    'one red in the first, and the rest is run all the same',
    'echo 3 passed, 1 failed; exit 1',
    'echo 4 passed, 0 failed',
    1,
    '7 passed, 1 failed',
  ],
  [
    'one red in the rest',
    'echo 3 passed, 0 failed',
    'echo 4 passed, 2 failed; exit 1',
    1,
    '7 passed, 2 failed',
  ],
  [
    'a part that was ended before its line',
    'echo Tests …; exit 137',
    'echo 4 passed, 0 failed',
    1,
    '4 passed, 1 failed',
  ],
  [
    'a part that ended badly with no failed test',
    'echo 3 passed, 0 failed; exit 1',
    'echo 4 passed, 0 failed',
    1,
    '7 passed, 1 failed',
  ],
])('.ci/run with %s', (_, first, rest, code, last) => {
  expect(runCi(first, rest)).toEqual({ code, last });
});
