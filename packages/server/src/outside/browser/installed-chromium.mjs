// Finds an installed Chromium, else one in Playwright's cache. The headless shell is preferred: it
// renders the same pages with about 60 % of the CPU time. This file is plain JavaScript, because
// scripts use it before anything is built.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** @returns {string | undefined} the path of a Chromium */
export function installedChromium(environment) {
  return installedShell(environment) ?? installedWhole(environment);
}

export function installedShell(environment) {
  return [...installedShells(environment), ...playwrightShells(environment)].find(isProgram);
}

export function installedWhole(environment) {
  return [...installedPlaces(environment), ...playwrightPlaces(environment)].find(isProgram);
}

export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Debian's real program is in /usr/lib/chromium. The file in /usr/bin is only a shell script;
 * killing the script would leave the browser running.
 */
function installedShells(environment) {
  const names = ['chromium-headless-shell', 'chrome-headless-shell'];
  return ['/usr/lib/chromium', ...programFolders(environment)].flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  );
}

function installedPlaces(environment) {
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
  return programFolders(environment).flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  );
}

function programFolders(environment) {
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...new Set([...folders, '/usr/bin', '/usr/local/bin', '/snap/bin'])];
}

function playwrightShells(environment) {
  const systems = ['linux64', 'linux-arm64', 'mac-x64', 'mac-arm64'];
  return inPlaywrightCache(
    environment,
    /^chromium_headless_shell-\d+$/,
    systems.map((system) => `chrome-headless-shell-${system}/chrome-headless-shell`),
  );
}

function playwrightPlaces(environment) {
  return inPlaywrightCache(environment, /^chromium-\d+$/, [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ...['x64', 'arm64'].map(
      (chip) =>
        `chrome-mac-${chip}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
    ),
  ]);
}

function inPlaywrightCache(environment, versions, programs) {
  const cache =
    environment['PLAYWRIGHT_BROWSERS_PATH'] ??
    (process.platform === 'darwin'
      ? path.join(homedir(), 'Library/Caches/ms-playwright')
      : path.join(
          environment['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
          'ms-playwright',
        ));
  if (!existsSync(cache)) return [];
  const newestFirst = readdirSync(cache)
    .filter((name) => versions.test(name))
    .sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]));
  return newestFirst.flatMap((name) => programs.map((program) => path.join(cache, name, program)));
}
