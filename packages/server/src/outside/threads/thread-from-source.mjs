// Starts a thread or a process from its TypeScript source, for tests: a thread inherits no loader.
// The source is bundled into one program first, because loading file by file takes five times as
// long as a thread's work, and the program is kept, since bundling takes most of the CPU of a start
// (0.86 s in all, 0.15 s with a kept one, figures of one machine). A build has a separate program
// for every thread and does not use this file.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { keptProgram } from './kept-program.mjs';

const source = process.argv[2];
const program = keptProgram(fileURLToPath(source), 'proofmark-threads', {
  format: 'iife',
  // These packages have files beside their code.
  external: ['playwright-core', 'axe-core'],
});
compileFunction(program, ['require'])(createRequire(source));
