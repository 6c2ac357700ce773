import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { build } from 'esbuild';
import { afterEach, expect, test } from 'vitest';
import { directImports } from './direct-imports.mjs';

const directory = temporaryDirectory();
afterEach(() => directory.remove());

const domain = {
  'index.ts':
    "export * from './one.ts';\nexport { two } from './two.ts';\nexport * from './all.ts';",
  'one.ts': 'export function one() {\n  return 1;\n}\nexport type Three = 3;',
  'two.ts': 'export const two = 2;\nexport const hidden = 4;',
  'all.ts': "console.log('all is loaded');\nexport const all = 5;",
};

async function bundle(source: string) {
  const files = Object.entries(domain).map(([name, text]) => [`domain/src/${name}`, text] as const);
  for (const [name, text] of [...files, ['cli/src/main.ts', source] as const]) {
    const file = path.join(directory.path, 'packages', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const { outputFiles } = await build({
    absWorkingDir: directory.path,
    entryPoints: ['packages/cli/src/main.ts'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [directImports(directory.path)],
  });
  return outputFiles[0]?.text ?? '';
}

test('a name taken from an index brings the file it stands in and no other', async () => {
  const text = await bundle(
    "import {\n  one,\n  type Three,\n  two as second,\n} from '@proofmark/domain';\nexport const sum: Three = one() + second;",
  );
  expect(text).not.toContain('all is loaded');
  const { sum } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(sum).toBe(3);
});

test('a name that the index does not give away stops the build', async () => {
  const made = bundle("import { hidden } from '@proofmark/domain';\nexport const a = hidden;");
  await expect(made).rejects.toThrow('imports hidden, which no index names');
});
