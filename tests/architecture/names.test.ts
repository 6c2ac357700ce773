import { describe, expect, test } from 'vitest';
import { checkNames } from './check-names.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('the names in the repository follow the rules', () => {
  expect(checkNames(repositoryRoot)).toEqual([]);
});

const source = 'packages/server/src/storage/a.ts';

describe('the check refuses', () => {
  test.each([
    ['a file in camel case', 'packages/domain/src/tokenBucket.ts', ''],
    ['a folder in camel case', 'tests/someTests/a.ts', ''],
    ['a file with an underscore', 'scripts/find_browser.mjs', ''],
    ['a folder that says nothing', 'packages/server/src/http/helpers/a.ts', ''],
    ['such a folder outside the packages', 'tests/common/a.ts', ''],
    ['a default export', source, 'export default 1;'],
    ['a default function', source, 'export default function a() {}'],
    ['a default by another name', source, 'const a = 1;\nexport { a as default };'],
    ['a default handed on', source, "export { default } from './b.ts';"],
    ['an index that is no entry', 'packages/domain/src/kernel/index.ts', ''],
    ['reading the environment', source, 'const a = process.env.A;'],
    ['reading it by key', source, "const a = process['env']['A'];"],
    ['reading it through the global', source, 'const a = globalThis.process.env;'],
    ['taking it apart', source, 'const { env: a } = process;'],
    ['importing it', source, "import { env as a } from 'node:process';"],
    ['reading it in the domain', 'packages/domain/src/a.ts', 'const a = process.env;'],
  ])('%s', (_name, file, text) => {
    const problems = inTemporaryTree({ [file]: text }, checkNames);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(file);
  });
});

describe('the check allows', () => {
  test.each([
    ['a database test', 'packages/server/src/storage/api-keys.db.test.ts', ''],
    ['a numbered decision', 'docs/decisions/0001-one-row.md', ''],
    ['a readme', 'bench/README.md', ''],
    ['a default export in a configuration', 'vitest.config.ts', 'export default {};'],
    [
      'the environment where parts are put together',
      'packages/server/src/main/a.ts',
      'process.env;',
    ],
    ['the environment in a command', 'packages/cli/src/a.ts', 'process.env;'],
    ['the environment in a test', 'packages/server/src/http/a.test.ts', 'process.env;'],
    ['the environment in a comment', source, '// process.env stays outside\nconst a = 1;'],
  ])('%s', (_name, file, text) => {
    expect(inTemporaryTree({ [file]: text }, checkNames)).toEqual([]);
  });

  test("an index that is a package's entry", () => {
    const files = {
      'packages/server/package.json': '{ "exports": { ".": "./src/main/index.ts" } }',
      'packages/server/src/main/index.ts': '',
    };
    expect(inTemporaryTree(files, checkNames)).toEqual([]);
  });
});
