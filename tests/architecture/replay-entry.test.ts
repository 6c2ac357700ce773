import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository-root.ts';

const server = 'packages/server/src';
const entry = `${server}/features/evals/in-memory/index.ts`;

/** Returns the modules that a file loads at its start, without type imports and dynamic imports. */
async function loadedWith(file: string): Promise<Set<string>> {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile: 'none.js',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const loaded = new Set([file]);
  for (const one of loaded) {
    for (const { path, kind } of metafile.inputs[one]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(path);
  }
  return loaded;
}

test('a replay loads no code that opens a database or calls a server', async () => {
  const loaded = await loadedWith(entry);
  expect(loaded).toContain(`${server}/features/evals/in-memory/play-recordings.ts`);
  const refused = [
    'pg',
    ...[
      'features/evals/in-memory/play-live.ts',
      'features/evals/work/open-parts.ts',
      'features/servers/index.ts',
      'outside/mcp/create-mcp-gateway.ts',
      'outside/model/create-model-gateway.ts',
      'platform/database/connect.ts',
      'platform/database/database.ts',
    ].map((file) => `${server}/${file}`),
  ];
  expect(refused.filter((file) => loaded.has(file))).toEqual([]);
});

test('a test against servers loads them', async () => {
  const loaded = await loadedWith(`${server}/main/open-testing.ts`);
  for (const file of ['features/evals/work/open-parts.ts', 'outside/mcp/create-mcp-gateway.ts'])
    expect(loaded).toContain(`${server}/${file}`);
});
