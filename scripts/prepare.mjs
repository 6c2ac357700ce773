// Prepares a clone to run, and does nothing if the clone is ready. Dependencies count as installed
// if the stamp in node_modules equals a hash over the lockfile and all manifests. A build target
// counts as built if its stamp equals a hash over the path, size and time of its sources. All
// messages go to stderr. This file runs before any dependency is installed, so it imports only from
// Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTargets } from './build-targets.mjs';
import { holdLock } from './hold-lock.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stampFolder = path.join(root, 'node_modules/.proofmark');
const installStamp = path.join(stampFolder, 'installed');

/**
 * Installs the dependencies and, if requested, builds all stale targets. A failure throws an error
 * with one clear sentence.
 */
export async function prepare({ build }) {
  refuseOldNode(process.versions.node);
  if (isReady(build)) return;
  const release = await takeLock();
  try {
    // Another process may have done the work while this one waited for the lock.
    if (!isInstalled()) await install();
    if (build) for (const target of staleTargets()) await buildTarget(target);
  } finally {
    release();
  }
}

/** A failure is printed on stderr and ends the process. */
export async function prepareOrExit(options) {
  try {
    await prepare(options);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

export function refuseOldNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new Error(
    `Proofmark needs Node 20.19, 22.12 or newer, and this is ${version}; please update Node.`,
  );
}

function isReady(build) {
  return isInstalled() && (!build || staleTargets().length === 0);
}

function isInstalled() {
  if (!existsSync(path.join(root, 'node_modules/.package-lock.json'))) return false;
  const stamp = readStamp(installStamp);
  return stamp === undefined ? installedByHand() : stamp === manifestHash();
}

// npm may have been run by hand. That installation counts if it contains every package of the
// lockfile in the locked version. Only optional packages for other platforms may be missing.
function installedByHand() {
  const locked = readLock(path.join(root, 'package-lock.json'));
  const present = readLock(path.join(root, 'node_modules/.package-lock.json'));
  return Object.entries(locked).every(([place, entry]) => {
    if (!place.startsWith('node_modules/')) return true;
    const found = present[place];
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
}

function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

async function install() {
  process.stderr.write('Installing dependencies.\n');
  // Without the explicit --include flags, NODE_ENV=production would omit the build tools.
  const flags = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const failure = 'Installing the dependencies failed; see the lines above.';
  if (npm?.endsWith('npm-cli.js')) await run(process.execPath, [npm, ...flags], failure);
  else await run('npm', flags, failure);
  writeStamp(installStamp, manifestHash());
}

function manifestHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const manifests = packageFolders().map((folder) => path.join(folder, 'package.json'));
  for (const file of ['package-lock.json', 'package.json', ...manifests]) {
    const absolute = path.join(root, file);
    if (existsSync(absolute)) hash.update(`\n${file}\n`).update(readFileSync(absolute));
  }
  return hash.digest('hex');
}

function packageFolders() {
  return readdirSync(path.join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .sort();
}

function staleTargets() {
  const installed = manifestHash();
  const known = new Map();
  return buildTargets.filter(
    (target) =>
      !target.outputs(root).every((output) => existsSync(path.join(root, output))) ||
      readStamp(buildStamp(target)) !== sourceHash(target, installed, known),
  );
}

async function buildTarget(target) {
  process.stderr.write(`Building the ${target.name}.\n`);
  // The sources are hashed before the build: a file that changes during the build must cause
  // another build. The old stamp is removed first, since a build that fails half way must leave no
  // stamp.
  const hash = sourceHash(target, manifestHash());
  rmSync(buildStamp(target), { force: true });
  const script = path.join(root, 'scripts/build.mjs');
  const failure = `Building the ${target.name} failed; see the lines above.`;
  await run(process.execPath, [script, target.name], failure);
  writeStamp(buildStamp(target), hash);
}

function buildStamp(target) {
  return path.join(stampFolder, `built-${target.name}`);
}

// Every command in a clone runs this function, so a source that several targets share is read only
// once.
function sourceHash(target, installed, known = new Map()) {
  const hash = createHash('sha256').update(installed);
  for (const source of target.sources) {
    if (!known.has(source)) known.set(source, linesOf(source));
    hash.update(known.get(source));
  }
  return hash.digest('hex');
}

function linesOf(place) {
  const stats = statSync(`${root}/${place}`, { throwIfNoEntry: false });
  if (stats === undefined) return '';
  return stats.isDirectory() ? linesIn(place) : `${place} ${stats.size} ${stats.mtimeMs}\n`;
}

function linesIn(folder) {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .filter(({ name }) => !/\.test\.tsx?$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((entry) => (entry.isDirectory() ? linesIn : linesOf)(`${folder}/${entry.name}`))
    .join('');
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function writeStamp(file, text) {
  mkdirSync(stampFolder, { recursive: true });
  writeFileSync(file, text);
}

async function takeLock() {
  // The lock is not in node_modules, because installing empties that folder.
  const folder = path.join(root, 'packages/cli/dist');
  try {
    mkdirSync(folder, { recursive: true });
    return await holdLock(path.join(folder, '.preparing'));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new Error(
      `Proofmark has to install or build first, but ${root} cannot be written; run "npm start" there once as its owner.`,
    );
  }
}

// The child's output is shown only if the child fails, so that each step prints one line.
function run(program, programArguments, failure) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => reject(new Error(`${failure} (${error.message})`)));
    child.on('close', (code) => {
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new Error(failure));
    });
  });
}
