// Finds the nginx for the test of the proxy example: the one in PROOFMARK_NGINX, or else an
// installed one, or else one that was fetched before. Only if requested, it fetches Debian's
// package and unpacks it below node_modules. The package is not installed, because an installed
// nginx would be started and take ports of this machine.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'node_modules/.cache/proofmark-nginx');

/** @returns {string | undefined} the path of an nginx that runs here, or undefined when there is none. */
export function findNginx({ install }) {
  const named = process.env['PROOFMARK_NGINX'];
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`PROOFMARK_NGINX names ${named}, which is not a program; correct or unset it.`);
  }
  const found = places().find(runs);
  if (found !== undefined || !install || !existsSync('/etc/debian_version')) return found;
  fetchPackage();
  return places().find(runs);
}

function places() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  const installed = [...new Set([...folders, '/usr/sbin', '/usr/local/sbin'])];
  return [
    ...installed.map((place) => path.join(place, 'nginx')),
    path.join(folder, 'usr/sbin/nginx'),
  ];
}

function fetchPackage() {
  process.stderr.write('Fetching nginx for the test of the proxy example.\n');
  mkdirSync(folder, { recursive: true });
  // Users other than root may download packages, but cannot update the list of packages.
  if (!run('apt-get', ['download', 'nginx']) && process.getuid?.() === 0) {
    run('apt-get', ['update']);
    run('apt-get', ['download', 'nginx']);
  }
  const file = readdirSync(folder).find((name) => /^nginx_.*\.deb$/.test(name));
  if (file !== undefined) run('dpkg-deb', ['--extract', file, '.']);
}

// The output of other programs goes to stderr, because stdout belongs to the caller. The timeout
// limits the attempt where no network answers.
function run(program, programArguments) {
  const stdio = ['ignore', process.stderr.fd, process.stderr.fd];
  const options = { cwd: folder, stdio, timeout: 60_000 };
  return spawnSync(program, programArguments, options).status === 0;
}

// An unpacked nginx may lack a library that its installation would have brought.
function runs(file) {
  return isProgram(file) && spawnSync(file, ['-v'], { stdio: 'ignore' }).status === 0;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
