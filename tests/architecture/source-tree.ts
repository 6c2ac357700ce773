import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const notOurs = new Set(['node_modules', 'dist', '.git', '.proofmark', 'coverage']);

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
 * Returns whether the file is written by hand: TypeScript, scripts and styles, but not type
 * declarations.
 */
export function isSource(file: string): boolean {
  return /\.(ts|tsx|mts|js|mjs|css)$/.test(file);
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

/** The harness is never shipped, so the rules of shipped packages do not apply to it. */
export function isHarness(file: string): boolean {
  return file.startsWith('packages/harness/');
}

export function isPackageSource(file: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.(ts|tsx)$/.test(file) && !isHarness(file);
}
