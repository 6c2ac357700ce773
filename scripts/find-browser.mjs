// Finds the Chromium for the console tests: the one in PROOFMARK_CHROMIUM, or else an installed
// one. Only if requested, it installs a headless shell: as root from Debian's packages, or with
// Playwright's installer if there is no browser at all.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  installedChromium,
  installedShell,
  installedWhole,
  isProgram,
} from '../packages/server/src/outside/browser/installed-chromium.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** @returns {string | undefined} the path of a Chromium, or undefined when there is none. */
export function findBrowser({ install }) {
  const named = process.env['PROOFMARK_CHROMIUM'];
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(
      `PROOFMARK_CHROMIUM names ${named}, which is not a program; correct or unset it.`,
    );
  }
  if (install && installedShell(process.env) === undefined) installShell();
  return installedChromium(process.env);
}

function installShell() {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version') && installFromDebian()) return;
  if (installedWhole(process.env) !== undefined) return;
  process.stderr.write('Installing Chromium for the browser tests.\n');
  run(process.execPath, [
    path.join(root, 'node_modules/playwright-core/cli.js'),
    'install',
    '--only-shell',
    'chromium',
  ]);
}

function installFromDebian() {
  process.stderr.write("Installing Chromium's headless shell for the browser tests.\n");
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const parameters = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'];
  if (run('apt-get', parameters, environment)) return true;
  // The first `apt-get` may have failed because the list of packages is old or missing, so the list
  // is updated first.
  return run('apt-get', ['update'], environment) && run('apt-get', parameters, environment);
}

// The installer's output goes to stderr, because stdout belongs to the caller.
function run(program, programArguments, environment = process.env) {
  const result = spawnSync(program, programArguments, {
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    env: environment,
  });
  return result.status === 0;
}
