// Starts a thread, or a process, from its TypeScript source, for tests: a thread takes over no loader of the thread that
// starts it. It is made into one program first, because loading file by file takes a thread five times as
// long as what it is there for, and kept, since making it takes most of the CPU of a start (0.86 s in all, 0.15 s with a
// kept one, figures of one machine). A build has every thread as a program of its own and does not use this file.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { keptProgram } from './kept-program.mjs';

const source = process.argv[2];
const program = keptProgram(fileURLToPath(source), 'proofmark-threads', {
  format: 'iife',
  // They have files of their own beside their code.
  external: ['playwright-core', 'axe-core'],
});
compileFunction(program, ['require'])(createRequire(source));
