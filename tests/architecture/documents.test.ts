import { describe, expect, test } from 'vitest';
import {
  checkDrawnDirection,
  checkDrawnTree,
  checkLinks,
  checkNamedPaths,
} from './check-documents.ts';
import { checkMachineTraces } from './check-machine-traces.ts';
import { repositoryRoot } from './repository-root.ts';
import { listFiles, readText } from './source-tree.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('every path a document names exists', () => {
  expect(checkNamedPaths(repositoryRoot)).toEqual([]);
});

test('every link between documents leads somewhere', () => {
  expect(checkLinks(repositoryRoot)).toEqual([]);
});

test('the direction drawn in ARCHITECTURE.md is the one that is checked', () => {
  expect(checkDrawnDirection(readText(repositoryRoot, 'ARCHITECTURE.md'))).toEqual([]);
});

test('the tree of ARCHITECTURE.md has every folder', () => {
  const tree = readText(repositoryRoot, 'ARCHITECTURE.md');
  expect(checkDrawnTree(listFiles(repositoryRoot), tree)).toEqual([]);
});

test('a folder that is missing from the tree is refused', () => {
  const files = [
    'packages/domain/src/kernel/ids.ts',
    'tests/pins/a.test.ts',
    'tests/global-setup.ts',
  ];
  expect(checkDrawnTree(files, '| `packages/domain/src/kernel/` | words |')).toEqual([
    'tests/pins/ is missing from the tree',
  ]);
});

test('no file tells where it was written or where packages come from', () => {
  expect(checkMachineTraces(repositoryRoot)).toEqual([]);
});

const present = { 'packages/domain/src/kernel/ids.ts': '', 'tests/a.ts': '' };

describe('a document may not name', () => {
  test.each([
    ['a missing file', 'See `packages/domain/src/gone.ts`.'],
    ['a missing folder', 'See `tests/gone/`.'],
    ['a missing file with its line', 'See `tests/gone.ts:12`.'],
    ['a missing file by its package', 'See `domain/src/gone.ts`.'],
    ['a missing file by its bare name', 'See `gone.ts`.'],
    ['a missing folder before a placeholder', 'See `packages/domain/src/gone/<name>/a.ts`.'],
  ])('%s', (_name, text) => {
    for (const document of ['README.md', 'CONTRIBUTING.md', 'docs/guides/start.md']) {
      const problems = inTemporaryTree({ ...present, [document]: text }, checkNamedPaths);
      expect(problems, document).toHaveLength(1);
    }
  });
});

test('a document may name what exists, what is built, and what is no path of the repository', () => {
  const text =
    '`packages/domain/src/kernel/ids.ts` `tests/a.ts:3` `tests/` `domain/src/kernel` `ids.ts` ' +
    '`packages/<name>/src` `packages/*/src/**` `packages/cli/dist/main.js` `/api/v1/me` ' +
    '`@proofmark/domain` `GET` `proofmark.config.json` `*.test.ts` `and/or` `application/json`';
  expect(inTemporaryTree({ ...present, 'README.md': text }, checkNamedPaths)).toEqual([]);
});

test('a link to a missing file is refused, wherever the document stands', () => {
  const files = {
    'README.md':
      '[ok](docs/a.md#part) [gone](docs/gone.md) [web](https://example.com) [here](#top)',
    'docs/a.md':
      '[up](../README.md)\n[far](../gone.md)\n\n[name]: ./gone-too.md\n`[code](none.md)`\n<img alt="" src="gone.png">',
  };
  expect(inTemporaryTree(files, checkLinks)).toEqual([
    'README.md links to docs/gone.md, which does not exist',
    'docs/a.md links to ../gone.md, which does not exist',
    'docs/a.md links to ./gone-too.md, which does not exist',
    'docs/a.md links to gone.png, which does not exist',
  ]);
});

test('a direction drawn otherwise than it is checked is refused', () => {
  const rows = (vault: string) =>
    `| \`domain\` | zod |\n| \`platform/http\` | \`domain\` |\n| \`platform/vault\` | ${vault} |`;
  expect(checkDrawnDirection(rows('`domain`'))).toEqual([]);
  expect(checkDrawnDirection(rows('`domain`, `platform/http`'))).toHaveLength(1);
  expect(checkDrawnDirection(rows('nothing'))).toHaveLength(1);
  expect(checkDrawnDirection('no table')).toHaveLength(1);
});

describe('a file may not tell', () => {
  // The words are joined at run time, so that this file itself does not break the rule.
  const join = (...parts: string[]) => parts.join('');
  test.each([
    ["a person's folder", 'README.md', join('cd /ho', 'me/ada/proofmark')],
    ["a person's folder on a Mac", 'docs/a.md', join('cd /Us', 'ers/ada/proofmark')],
    ["root's folder", 'scripts/a.mjs', join("read('/ro", "ot/.config')")],
    ['a workspace folder', 'packages/domain/src/a.ts', join('// see /wo', 'rk/main/README.md')],
    ['a registry', 'README.md', join('https://regis', 'try.npmjs.org/zod')],
    ["a company's registry", 'docs/a.md', join('http://npm-regis', 'try.example.com/')],
    ['a registry setting', '.npmrc', join('regis', 'try=x')],
    [
      'an address in the lockfile',
      'package-lock.json',
      join('"resol', 'ved": "https://example.com/a.tgz"'),
    ],
  ])('%s', (_name, file, text) => {
    expect(inTemporaryTree({ [file]: text }, checkMachineTraces).length).toBeGreaterThan(0);
  });

  test('but may use the same words otherwise', () => {
    const text =
      "path.join(root, 'src'); base + '/roots'; new OpenAPIRegistry(); registry.register(a); '/'";
    expect(inTemporaryTree({ 'scripts/a.mjs': text }, checkMachineTraces)).toEqual([]);
  });
});
