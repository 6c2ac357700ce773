// Fetches a version of Node for tests: the program in the npm package `node`, from the registry
// that npm is configured to use, into node_modules/.cache. The package's install scripts do not
// run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, 'node_modules/.cache/node-versions');

export const nodeVersions = ['20.19.0', '22', '24', 'latest'];

/**
 * @returns {string | undefined} the program's path, or undefined where it cannot be fetched or run.
 */
export function fetchNode(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(cache, version);
  const program = path.join(folder, 'node_modules', name, 'bin/node');
  // For a version line or "latest", npm fetches the newest version. Without a network, the version
  // fetched before is used.
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
