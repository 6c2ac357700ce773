// Starts a thread or a process from its TypeScript source, for tests, since a thread inherits no
// loader. The source is first bundled into one program, because loading file by file takes five
// times as long as a thread's work. The program is stored, since bundling takes most of the CPU of
// a start (on one machine 0.86 s, with a stored program 0.15 s). A build has a separate program for
// every thread and does not use this file.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { keptProgram } from './kept-program.mjs';

const source = process.argv[2];
const program = keptProgram(fileURLToPath(source), 'proofmark-threads', {
  format: 'iife',
  // These packages read files next to their code, so they cannot be bundled.
  external: ['playwright-core', 'axe-core'],
});
compileFunction(program, ['require'])(createRequire(source));
