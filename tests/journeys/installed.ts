/**
 * Installs the packages of `npm run pack` in a folder as npm does: unpacked, with their
 * dependencies beside them. Dependencies are taken from this repository's node_modules, since tests
 * use no registry. No other part of the repository is reachable from that folder.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../architecture/repository-root.ts';

const run = promisify(execFile);

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
}

export async function packInto(
  folder: string,
): Promise<readonly [command: string, client: string]> {
  const { stdout } = await run(process.execPath, ['scripts/pack.mjs', folder], {
    cwd: repositoryRoot,
  });
  return stdout.trim().split('\n') as [string, string];
}

export async function installInto(folder: string, tarball: string): Promise<Manifest> {
  const unpacked = path.join(folder, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', unpacked]);
  const manifest = readManifest(path.join(unpacked, 'package'));
  const place = path.join(folder, 'node_modules', manifest.name);
  mkdirSync(path.dirname(place), { recursive: true });
  await run('mv', [path.join(unpacked, 'package'), place]);
  for (const name of dependenciesOf(manifest)) linkPackage(folder, name);
  return manifest;
}

function dependenciesOf(manifest: Manifest): string[] {
  const inside = new Set(manifest.bundleDependencies);
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
    (name) => !inside.has(name),
  );
}

/**
 * Links a package with all its dependencies. Packages for other platforms are absent and skipped.
 */
export function linkPackage(folder: string, name: string): void {
  const [from, to] = [repositoryRoot, folder].map((base) => path.join(base, 'node_modules', name));
  const manifest = readIfThere(from as string);
  if (manifest === undefined) return;
  mkdirSync(path.dirname(to as string), { recursive: true });
  try {
    symlinkSync(from as string, to as string);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  for (const next of dependenciesOf(manifest)) linkPackage(folder, next);
}

function readIfThere(folder: string): Manifest | undefined {
  try {
    return readManifest(folder);
  } catch {
    return undefined;
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}
