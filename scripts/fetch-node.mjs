// Fetches a version of Node for tests: the program that the npm package `node` brings, from the registry that npm is
// configured for, into node_modules/.cache. Nothing of it runs at install.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, 'node_modules/.cache/node-versions');

/** The oldest we run on, the lines that are supported, and the newest there is. */
export const nodeVersions = ['20.19.0', '22', '24', 'latest'];

/** @returns {string | undefined} its program, or undefined where it cannot be fetched or does not run here. */
export function fetchNode(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(cache, version);
  const program = path.join(folder, 'node_modules', name, 'bin/node');
  // A line and the newest move on; where there is no network, what was fetched before is good enough.
  if (!existsSync(program) || !/^\d+\.\d+\.\d+$/.test(version)) {
    process.stderr.write(`Fetching Node ${version}.\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--force'];
    spawnSync('npm', ['install', ...flags, `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
      timeout: 300_000,
    });
  }
  const runs = existsSync(program) && spawnSync(program, ['--version'], { stdio: 'ignore' });
  return runs && runs.status === 0 ? program : undefined;
}
