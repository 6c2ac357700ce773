import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs a package into a folder, without its install scripts. An installed package of the right
 * version is kept.
 */
export async function installServer({ name, version = 'latest' }, folder) {
  const own = path.join(folder, 'node_modules', name);
  if (versionIn(own) !== version) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    await installed(folder, `${name}@${version}`);
  }
  const manifest = manifestOf(own);
  const bins = typeof manifest.bin === 'string' ? { [name]: manifest.bin } : (manifest.bin ?? {});
  const bin = bins[name.split('/').at(-1)] ?? Object.values(bins)[0];
  if (bin === undefined) throw new Error('it has no program');
  return { version: manifest.version, program: path.join(own, bin) };
}

/**
 * Returns the Node arguments that start a server. FOLDER in them is replaced by `home`, a folder
 * for this server only.
 */
export function startArguments(program, { args = [] }, home) {
  return [program, ...args.map((one) => one.replace('FOLDER', home))];
}

function versionIn(own) {
  return existsSync(path.join(own, 'package.json')) ? manifestOf(own).version : undefined;
}

function manifestOf(own) {
  return JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'));
}

function installed(folder, wish) {
  const npm = spawn('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', wish], {
    cwd: folder,
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    npm.on('close', (code) => (code === 0 ? resolve() : reject(new Error('it is not installed'))));
  });
}
