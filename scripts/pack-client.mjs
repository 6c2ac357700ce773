// Prepares the files of `@proofmark/client` for its package: JavaScript and types for each entry of
// its manifest, and no dependency. It contains the requests of the public API. The types are
// generated from the API document.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = path.join(root, 'packages/client/src');

/** @returns {Promise<string[]>} the files that are in the bundle */
export async function stageClient(stage, manifest) {
  const output = path.join(stage, 'dist');
  mkdirSync(output, { recursive: true });
  const { exports: ways } = readManifest();
  const entryPoints = Object.values(ways).map((file) => path.join(root, 'packages/client', file));
  const { metafile } = await build({
    metafile: true,
    entryPoints,
    outdir: output,
    outbase: source,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
    external: ['node:*', 'vitest'],
    plugins: [{ name: 'public-requests', setup: keepPublicRequests }],
  });
  writeTypes(output);
  writeFileSync(path.join(output, 'openapi.d.ts'), await documentTypes());
  cpSync(
    path.join(root, 'packages/client/packed/contract.d.ts'),
    path.join(output, 'contract.d.ts'),
  );
  cpSync(path.join(root, 'packages/client/README.md'), path.join(stage, 'README.md'));
  const exported = Object.entries(ways).map(([way, file]) => {
    const built = file.replace('./src/', './dist/').replace(/\.ts$/, '');
    return [way, { types: `${built}.d.ts`, default: `${built}.js` }];
  });
  const whole = { ...manifest, sideEffects: false, exports: Object.fromEntries(exported) };
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
  return Object.keys(metafile.inputs).map((file) => path.resolve(file));
}

function readManifest() {
  return JSON.parse(readFileSync(path.join(root, 'packages/client/package.json'), 'utf8'));
}

function keepPublicRequests(made) {
  made.onLoad({ filter: /packages[/\\]contract[/\\]src[/\\]requests\.json$/ }, ({ path: file }) => {
    const table = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
    const isPublic = ([, request]) => request.includes(' /api/');
    const contents = JSON.stringify(Object.fromEntries(table.filter(isPublic)));
    return { contents, loader: 'json' };
  });
}

function writeTypes(output) {
  for (const name of readdirSync(source, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const { outputText, diagnostics } = ts.transpileDeclaration(
      readFileSync(path.join(source, name), 'utf8'),
      { fileName: name, reportDiagnostics: true, compilerOptions: { isolatedDeclarations: true } },
    );
    const [problem] = diagnostics ?? [];
    if (problem)
      throw new Error(`${name}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`);
    const up = '../'.repeat(name.split(path.sep).length - 1) || './';
    const types = outputText
      .replaceAll("'@proofmark/contract'", `'${up}contract.js'`)
      .replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
    const file = path.join(output, name.replace(/\.ts$/, '.d.ts'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, types);
  }
}

/**
 * Leaves out error answers: the client throws them, and their types would be two thirds of the
 * file.
 */
async function documentTypes() {
  const document = JSON.parse(readFileSync(path.join(root, 'docs/reference/openapi.json'), 'utf8'));
  for (const operation of Object.values(document.paths).flatMap((place) => Object.values(place))) {
    for (const status of Object.keys(operation.responses ?? {})) {
      if (!status.startsWith('2')) delete operation.responses[status];
    }
  }
  return astToString(await openapiTypes(document));
}
