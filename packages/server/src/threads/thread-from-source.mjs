// Starts a thread from its TypeScript source, for tests: a thread takes over no loader of the thread that
// starts it. It is made into one program in memory first, because loading file by file takes a thread five times as
// long as what it is there for. A build has every thread as a program of its own and does not use this file.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';

const source = process.argv[2];
const { outputFiles } = buildSync({
  entryPoints: [fileURLToPath(source)],
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'node',
  target: 'node20',
});
compileFunction(outputFiles[0].text, ['require'])(createRequire(source));
