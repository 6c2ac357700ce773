// Finds the Chromium the console tests drive: the one PROOFMARK_CHROMIUM names, else one that is
// installed, else one from Playwright's cache. Only when asked to, it installs one: from Debian's
// packages as root, otherwise through Playwright's own installer.
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
  const found = findInstalled();
  if (found !== undefined || !install) return found;
  installBrowser();
  return findInstalled();
}

function findInstalled() {
  return [...installedPlaces(), ...playwrightPlaces()].find(isProgram);
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
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...new Set([...folders, '/usr/bin', '/usr/local/bin', '/snap/bin'])].flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  );
}

function playwrightPlaces() {
  const cache =
    process.env['PLAYWRIGHT_BROWSERS_PATH'] ??
    (process.platform === 'darwin'
      ? path.join(homedir(), 'Library/Caches/ms-playwright')
      : path.join(
          process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
          'ms-playwright',
        ));
  if (!existsSync(cache)) return [];
  const programs = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ...['x64', 'arm64'].map(
      (chip) =>
        `chrome-mac-${chip}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
    ),
  ];
  const newestFirst = readdirSync(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]));
  return newestFirst.flatMap((name) => programs.map((program) => path.join(cache, name, program)));
}

function installBrowser() {
  process.stderr.write('Installing Chromium for the browser tests.\n');
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update'], environment);
    if (run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], environment))
      return;
  }
  run(process.execPath, [
    path.join(root, 'node_modules/playwright-core/cli.js'),
    'install',
    'chromium',
  ]);
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
