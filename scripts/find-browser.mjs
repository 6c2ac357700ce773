// Finds the Chromium the console tests drive: the one PROOFMARK_CHROMIUM names, else one that is installed, else one from
// Playwright's cache. Chromium's headless shell is taken before a whole Chromium: the same pages without a window around
// them, for 60 % of the CPU of a journey (37 s instead of 62 s, figures of one machine). Only when asked to, it installs a
// shell: from Debian's packages as root, and where there is no browser at all otherwise through Playwright's own installer.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
  if (findShell() === undefined && install) installShell();
  return findShell() ?? findWhole();
}

function findShell() {
  return [...installedShells(), ...playwrightShells()].find(isProgram);
}

function findWhole() {
  return [...installedPlaces(), ...playwrightPlaces()].find(isProgram);
}

/** Debian's own first: beside it in /usr/bin stands a shell script that starts it and would outlive it. */
function installedShells() {
  const names = ['chromium-headless-shell', 'chrome-headless-shell'];
  return ['/usr/lib/chromium', ...programFolders()].flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  );
}

function installedPlaces() {
  if (process.platform === 'darwin') {
    const programs = [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
    ];
    return ['/Applications', path.join(homedir(), 'Applications')].flatMap((folder) =>
      programs.map((program) => path.join(folder, program)),
    );
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  return programFolders().flatMap((folder) => names.map((name) => path.join(folder, name)));
}

function programFolders() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...new Set([...folders, '/usr/bin', '/usr/local/bin', '/snap/bin'])];
}

function playwrightShells() {
  const systems = ['linux64', 'linux-arm64', 'mac-x64', 'mac-arm64'];
  return inPlaywrightCache(
    /^chromium_headless_shell-\d+$/,
    systems.map((system) => `chrome-headless-shell-${system}/chrome-headless-shell`),
  );
}

function playwrightPlaces() {
  return inPlaywrightCache(/^chromium-\d+$/, [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ...['x64', 'arm64'].map(
      (chip) =>
        `chrome-mac-${chip}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
    ),
  ]);
}

function inPlaywrightCache(versions, programs) {
  const cache =
    process.env['PLAYWRIGHT_BROWSERS_PATH'] ??
    (process.platform === 'darwin'
      ? path.join(homedir(), 'Library/Caches/ms-playwright')
      : path.join(
          process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
          'ms-playwright',
        ));
  if (!existsSync(cache)) return [];
  const newestFirst = readdirSync(cache)
    .filter((name) => versions.test(name))
    .sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]));
  return newestFirst.flatMap((name) => programs.map((program) => path.join(cache, name, program)));
}

function installShell() {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version') && installFromDebian()) return;
  if (findWhole() !== undefined) return;
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
  // The list of packages may be old, or not be there.
  return run('apt-get', ['update'], environment) && run('apt-get', parameters, environment);
}

// The installer's own words go to stderr, so that stdout stays the caller's.
function run(program, programArguments, environment = process.env) {
  const result = spawnSync(program, programArguments, {
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    env: environment,
  });
  return result.status === 0;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
