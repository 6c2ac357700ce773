// Builds the given targets (default: both): the `proofmark` command and the console's pages.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTargets, hasConsole } from './build-targets.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const builders = { command: buildCommandHere, console: buildConsole };
const named = process.argv.slice(2);

for (const { name } of buildTargets) {
  if (named.length === 0 || named.includes(name)) await builders[name]();
}

async function buildCommandHere() {
  const { buildCommand } = await import('./build-command.mjs');
  await buildCommand(path.join(root, 'packages/cli/dist'), { sourcemap: true });
}

async function buildConsole() {
  if (!hasConsole(root)) return;
  // The pages must contain React's production build, which is half the size, whatever NODE_ENV the
  // shell or a test runner sets.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const consoleFolder = path.join(root, 'packages/console');
  await build({
    root: consoleFolder,
    configFile: path.join(consoleFolder, 'vite.config.ts'),
    logLevel: 'warn',
  });
}
