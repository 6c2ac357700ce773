// Lists the files of a repository for the checks: all files except installed and built ones, and
// those written at run time.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const notOurs = new Set(['node_modules', 'dist', '.git', '.proofmark', 'coverage']);

/** Returns all files below the root as sorted relative paths with forward slashes. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => !notOurs.has(entry.name) && !entry.name.endsWith('.log'))
    .flatMap((entry) => {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listFiles(root, file);
      return entry.isFile() ? [file] : [];
    })
    .sort();
}

export function readText(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/**
 * Returns whether people write the file: TypeScript, scripts and styles, but no foreign
 * declarations.
 */
export function isSource(file: string): boolean {
  return /\.(ts|tsx|mts|js|mjs|css)$/.test(file);
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

/**
 * Returns whether the file belongs to the harness, which is never shipped, so that no rule of
 * shipped packages applies.
 */
export function isHarness(file: string): boolean {
  return file.startsWith('packages/harness/');
}

/** Returns whether the file is in a package's src folder, which is built and shipped. */
export function isPackageSource(file: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.(ts|tsx)$/.test(file) && !isHarness(file);
}
