// The files of a repository as the checks see them: everything but what is installed, built or
// written at run time.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const notOurs = new Set(['node_modules', 'dist', '.git', '.proofmark', 'coverage']);

/** All files below the root as sorted paths relative to it, with forward slashes. */
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

/** Code people write: TypeScript, scripts and styles, but no declarations of somebody else's. */
export function isSource(file: string): boolean {
  return /\.(ts|tsx|mts|js|mjs|css)$/.test(file);
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

/** Code of the package that tests stand on: never shipped, so no rule of the shipped packages binds it. */
export function isHarness(file: string): boolean {
  return file.startsWith('packages/harness/');
}

/** Code inside a package's src folder, the part that is built and shipped. */
export function isPackageSource(file: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.(ts|tsx)$/.test(file) && !isHarness(file);
}
