/**
 * Makes the PostgreSQL programs from npm usable. Without install scripts, the symbolic links to
 * their libraries are missing. The links are created in place if possible; otherwise the programs
 * are copied to the given folder and get their links there. The name of the copy identifies the
 * source, so an upgrade creates a new copy.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { canEnter, type RunAs } from './run-as.ts';

export function usableBinaries(
  binaries: PostgresBinaries,
  location: { folder: string; runAs: RunAs | undefined },
  notify: (sentence: string) => void,
): PostgresBinaries {
  const native = dirname(dirname(binaries.postgres));
  const isOurs = existsSync(join(native, 'pg-symlinks.json'));
  const reachable = [binaries.postgres, binaries.initdb].every((file) =>
    canEnter(file, location.runAs),
  );
  if (!isOurs) {
    if (reachable) return binaries;
    throw new Error(
      `The PostgreSQL programs beside ${binaries.postgres} cannot be run by the user PostgreSQL runs as: make them readable and executable for everyone.`,
    );
  }
  if (reachable && linkLibraries(native)) return binaries;

  const copy = join(location.folder, `native-${fingerprint(binaries.postgres)}`);
  if (!existsSync(copy)) {
    copyWhole(native, copy);
    notify(`The PostgreSQL programs were copied to ${copy}, where they can be run.`);
  }
  return {
    initdb: join(copy, 'bin', basename(binaries.initdb)),
    postgres: join(copy, 'bin', basename(binaries.postgres)),
  };
}

/**
 * Creates the missing links; returns false if that fails, for example because the folder is not
 * writable.
 */
function linkLibraries(native: string): boolean {
  const listed = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  // The listed paths always begin with `native/`, even if this copy of it has another name.
  const inside = (path: string) => join(native, path.replace(/^native\//, ''));
  for (const { source, target } of listed) {
    const link = inside(target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(link), inside(source)), link);
    } catch (error) {
      // EEXIST is not a failure: another process has just created the same link.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function copyWhole(native: string, copy: string): void {
  const folder = dirname(copy);
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `copying-${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  openForEveryone(unfinished);
  linkLibraries(unfinished);
  for (const name of readdirSync(folder)) {
    // Removes copies of older programs, and copies that a killed process left unfinished.
    const isOld = /^(native-[0-9a-f]{16}|copying-\d+)$/.test(name) && name !== basename(unfinished);
    if (isOld) rmSync(join(folder, name), { recursive: true });
  }
  renameSync(unfinished, copy);
}

/**
 * Makes the copy accessible to all users. The source may be private, and its folders may be
 * read-only, so that no links could be created in their copies.
 */
function openForEveryone(path: string): void {
  const entry = lstatSync(path);
  if (entry.isDirectory()) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) openForEveryone(join(path, name));
  } else if (entry.isFile()) {
    chmodSync(path, entry.mode & 0o111 ? 0o755 : 0o644);
  }
}

function fingerprint(program: string): string {
  const { size, mtimeMs } = statSync(program);
  return sha256Hex(`${program} ${size} ${mtimeMs}`).slice(0, 16);
}
