import { describe, expect, test } from 'vitest';
import { checkCircles } from './check-circles.ts';
import { checkConsoleFeatures, checkUnusedFeatureGrants } from './check-console-features.ts';
import { checkDirection, checkUnusedGrants } from './check-direction.ts';
import { consoleFeatures, direction } from './direction.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('every import of the repository follows the direction table', () => {
  expect(checkDirection(repositoryRoot)).toEqual([]);
});

test('no files of the repository import each other in a circle', () => {
  expect(checkCircles(repositoryRoot)).toEqual([]);
});

describe('the table', () => {
  test('grants only what is used', () => {
    expect(checkUnusedGrants(repositoryRoot)).toEqual([]);
  });

  test('is refused for a grant that only a test uses', () => {
    const http = 'packages/server/src/platform/http';
    const use = { [`${http}/a.ts`]: "import type { B } from '../operations/b.ts';" };
    const inTest = { [`${http}/a.test.ts`]: "import '../database/b.ts';" };
    const unused = inTemporaryTree({ ...use, ...inTest }, checkUnusedGrants);
    expect(unused).toContain('platform/http may import platform/database and does not');
    expect(unused).not.toContain('platform/http may import platform/operations and does not');
  });

  test('has no circle below the features', () => {
    const reaches = (from: string, to: string): boolean =>
      (direction[from] ?? []).some((next) => next === to || reaches(next, to));
    const isFeature = (module: string) => module.startsWith('features/') || module === 'main';
    for (const module of Object.keys(direction).filter((name) => !isFeature(name)))
      expect(reaches(module, module), module).toBe(false);
  });

  test.each([
    ['platform', /^(features|outside\/(?!model$)|conversation|main)/],
    ['outside', /^(features|platform|conversation|main)/],
    ['conversation', /^(features|platform|main)/],
  ])('keeps %s below', (layer, above) => {
    const own = Object.entries(direction).filter(([module]) => module.split('/')[0] === layer);
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap(([, granted]) => granted).filter((one) => above.test(one))).toEqual([]);
  });
});

const server = 'packages/server/src';

describe('the check refuses', () => {
  test.each([
    ['a bench that imports a test', 'bench/a.ts', "import { b } from '../tests/journeys/b.ts';"],
    ['a script that imports a test', 'scripts/a.mjs', "import { b } from '../tests/b.ts';"],
    [
      'an import against the direction',
      `${server}/platform/database/a.ts`,
      "import { b } from '../http/b.ts';",
    ],
    [
      'a type-only import',
      `${server}/platform/database/a.ts`,
      "import type { B } from '../http/b.ts';",
    ],
    ['a re-export', `${server}/platform/database/a.ts`, "export * from '../http/b.ts';"],
    [
      'a type-only re-export',
      `${server}/platform/database/a.ts`,
      "export type { B } from '../http/b.ts';",
    ],
    [
      'a dynamic import',
      `${server}/platform/database/a.ts`,
      "const b = await import('../http/b.ts');",
    ],
    [
      'an import as a type',
      `${server}/platform/database/a.ts`,
      "type B = import('../http/b.ts').B;",
    ],
    [
      'an import between other lines',
      `${server}/platform/database/a.ts`,
      "const a = 1;\nexport { b }\n  from '../http/b.ts';\nconst c = 2;",
    ],
    [
      'a dynamic import over several lines',
      `${server}/main/a.ts`,
      'const a = 1;\nawait import(\n  name\n);\nconst c = 2;',
    ],
    ['a require', `${server}/platform/database/a.ts`, "const b = require('../http/b.ts');"],
    ['an import with a computed name', `${server}/main/a.ts`, 'const b = await import(name);'],
    ['a computed name of ours', `${server}/main/a.ts`, `await import(\`@proofmark/\${name}\`);`],
    [
      'the platform importing a feature',
      `${server}/platform/http/a.ts`,
      "import '../../features/evals/index.ts';",
    ],
    [
      'a feature using a file of another',
      `${server}/features/swarms/a.ts`,
      "import '../evals/store/b.ts';",
    ],
    [
      'a feature using one that it may not',
      `${server}/features/evals/a.ts`,
      "import '../swarms/index.ts';",
    ],
    ['a feature importing main', `${server}/features/evals/a.ts`, "import '../../main/b.ts';"],
    [
      'a way out importing the database',
      `${server}/outside/mcp/a.ts`,
      "import '../../platform/database/b.ts';",
    ],
    [
      'a package the module may not know',
      `${server}/platform/vault/a.ts`,
      "import '@proofmark/contract';",
    ],
    ['an npm package in the domain', 'packages/domain/src/kernel/a.ts', "import 'postgres';"],
    ['a Node module in the domain', 'packages/domain/src/kernel/a.ts', "import 'node:fs';"],
    [
      'the domain importing the contract',
      'packages/domain/src/a.ts',
      "import '@proofmark/contract';",
    ],
    ['the client importing the server', 'packages/client/src/a.ts', "import '@proofmark/server';"],
    [
      'the console importing the server',
      'packages/console/src/a.tsx',
      "import '@proofmark/server';",
    ],
    [
      'the cli importing the server at once',
      'packages/cli/src/a.ts',
      "import '@proofmark/server';",
    ],
    ['a path into another package', 'packages/cli/src/a.ts', "import '../../domain/src/index.ts';"],
    [
      'source importing a test tool',
      `${server}/platform/http/a.ts`,
      "import '../../../../../tests/a.ts';",
    ],
    ['a file in no module', `${server}/a.ts`, 'export const a = 1;'],
    ['a module the table does not know', `${server}/attic/a.ts`, 'export const a = 1;'],
    ['a test of another package', 'packages/domain/src/a.test.ts', "import '@proofmark/server';"],
  ])('%s', (_name, file, text) => {
    const problems = inTemporaryTree({ [file]: text }, checkDirection);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(file);
  });
});

describe('the check allows', () => {
  test.each([
    [
      'what the table grants',
      `${server}/platform/http/a.ts`,
      "import { b } from '../operations/b.ts';",
    ],
    ['a module its own files', `${server}/platform/http/deep/a.ts`, "import { b } from '../b.ts';"],
    ['zod in the domain', 'packages/domain/src/a.ts', "import * as z from 'zod';"],
    [
      'any npm package elsewhere',
      `${server}/platform/database/a.ts`,
      "import postgres from 'postgres';",
    ],
    [
      'the cli the server when needed',
      'packages/cli/src/a.ts',
      "await import('@proofmark/server');",
    ],
    ['a test its whole package', `${server}/platform/vault/a.test.ts`, "import '../http/b.ts';"],
    [
      'a test what stands in tests',
      `${server}/platform/vault/a.db.test.ts`,
      "import '../../../../../tests/a.ts';",
    ],
    ['a domain test any npm package', 'packages/domain/src/a.test.ts', "import 'fast-check';"],
    [
      'one npm scope, computed',
      `${server}/platform/database/a.ts`,
      `await import(\`@scope/\${name}\`);`,
    ],
    ['an import in a comment', `${server}/platform/vault/a.ts`, "// import '../http/b.ts';"],
    [
      'an import in a string',
      `${server}/platform/vault/a.ts`,
      'const a = "import \'../http/b.ts\'";',
    ],
  ])('%s', (_name, file, text) => {
    expect(inTemporaryTree({ [file]: text }, checkDirection)).toEqual([]);
  });
});

describe('inside the console', () => {
  test('each part uses what its table grants', () => {
    expect(checkConsoleFeatures(repositoryRoot)).toEqual([]);
    expect(checkUnusedFeatureGrants(repositoryRoot)).toEqual([]);
  });

  test('no two features use each other', () => {
    const reaches = (from: string, to: string): boolean =>
      (consoleFeatures[from] ?? []).some((next) => next === to || reaches(next, to));
    for (const feature of Object.keys(consoleFeatures))
      expect(reaches(feature, feature), feature).toBe(false);
  });

  const console = 'packages/console/src';

  test.each([
    ['the kit using a feature', 'kit/a.ts', '../features/evals/index.ts'],
    ['the kit using main', 'kit/a.ts', '../main/router.tsx'],
    ['a feature using main', 'features/evals/a.ts', '../../main/router.tsx'],
    ['a feature that was not granted', 'features/evals/a.ts', '../swarms/index.ts'],
    ['a granted one past its index', 'features/swarms/data/a.ts', '../../evals/runs/words.tsx'],
    ['main past an index', 'main/a.tsx', '../features/evals/runs/words.tsx'],
    ['a visit loading the console', 'visit-main.tsx', './features/evals/index.ts'],
  ])('%s is refused', (_name, file, target) => {
    const text = `import { b } from '${target}';`;
    expect(inTemporaryTree({ [`${console}/${file}`]: text }, checkConsoleFeatures)).toHaveLength(1);
  });

  test.each([
    ['the kit', 'features/evals/a.ts', '../../kit/form.tsx'],
    ['a granted feature through its index', 'features/swarms/a.ts', '../evals/index.ts'],
    ['a page, from main', 'main/router.tsx', '../features/evals/pages/run.tsx'],
    ['its feature, from the page behind a link', 'visit-main.tsx', './features/visit/index.ts'],
  ])('%s may be used', (_name, file, target) => {
    const text = `import { b } from '${target}';`;
    expect(inTemporaryTree({ [`${console}/${file}`]: text }, checkConsoleFeatures)).toEqual([]);
  });
});
