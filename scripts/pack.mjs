// Makes the two installable packages as tarballs below `packed/`: `proofmark`, with the server, the
// console and the embedded database, and `@proofmark/client`, which is only the typed client.
// Neither needs this repository.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareOrExit } from './prepare.mjs';
import { mappedSources, thirdPartyNotices } from './third-party-notices.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// Packages outside of the bundle that must be installed. All other packages outside of the bundle
// are optional.
const besideTheBundle = [
  ...['@node-rs/argon2', 'axe-core', 'pg', 'pg-copy-streams', 'pino', 'playwright-core'],
];
const consoleName = '@proofmark/console';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'packed'));
  for (const file of await packAll(folder)) console.log(file);
}

/** @returns {Promise<string[]>} the tarballs */
async function packAll(folder) {
  await prepareOrExit({ build: true });
  const stages = path.join(folder, 'stages');
  rmSync(stages, { recursive: true, force: true });
  const [command, client] = ['proofmark', 'client'].map((name) => path.join(stages, name));
  writeNotices(command, await stageCommand(command));
  const { stageClient } = await import('./pack-client.mjs');
  writeNotices(client, await stageClient(client, publicPart(manifestOf('packages/client'))));
  for (const stage of [command, client]) copyTo(stage, ['LICENSE']);
  copyTo(command, ['README.md']);
  const tarballs = [command, client].map((stage) => tarballOf(stage, folder));
  rmSync(stages, { recursive: true });
  return tarballs;
}

/** @returns {Promise<string[]>} the files that are in its bundles, and in those of the console */
async function stageCommand(stage) {
  const manifest = manifestOf('packages/cli');
  const server = manifestOf('packages/server');
  writeJson(path.join(stage, 'package.json'), {
    ...publicPart(manifest),
    description: 'Tests, evaluates and gates MCP servers, on your own machine.',
    bin: manifest.bin,
    exports: manifest.exports,
    dependencies: {
      ...Object.fromEntries(besideTheBundle.map((name) => [name, server.dependencies[name]])),
      [consoleName]: manifest.dependencies[consoleName],
    },
    optionalDependencies: server.optionalDependencies,
    // The console's pages are inside the package, so they are not fetched from a registry.
    bundleDependencies: [consoleName],
  });
  const { buildCommand } = await import('./build-command.mjs');
  const bundled = await buildCommand(path.join(stage, 'dist'), { sourcemap: false });
  mkdirSync(path.join(stage, 'bin'));
  cpSync(path.join(root, 'scripts/hide-password.mjs'), path.join(stage, 'bin/hide-password.mjs'));
  writeFileSync(
    path.join(stage, 'bin/proofmark.js'),
    "#!/usr/bin/env node\nimport './hide-password.mjs';\n\nawait import('../dist/main.js');\n",
    { mode: 0o755 },
  );
  const pages = path.join(stage, 'node_modules', consoleName);
  const { devDependencies: _, ...consoleManifest } = manifestOf('packages/console');
  writeJson(path.join(pages, 'package.json'), consoleManifest);
  const built = path.join(root, 'packages/console/dist');
  cpSync(built, path.join(pages, 'dist'), { recursive: true });
  return [...bundled, ...mappedSources(built)];
}

function writeNotices(stage, files) {
  writeFileSync(path.join(stage, 'THIRD-PARTY-NOTICES'), `${thirdPartyNotices(files)}\n`);
}

function publicPart({ name, version, license, description, type }) {
  const { engines } = manifestOf('.');
  return { name, version, license, description, type, engines };
}

function tarballOf(stage, folder) {
  const done = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: stage,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (done.status !== 0) throw new Error(`npm pack failed in ${stage}.`);
  return path.join(folder, JSON.parse(done.stdout)[0].filename);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
}

function copyTo(stage, names) {
  for (const name of names) cpSync(path.join(root, name), path.join(stage, name));
}

function writeJson(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
