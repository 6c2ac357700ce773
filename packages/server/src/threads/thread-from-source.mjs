// Starts a thread, or a process, from its TypeScript source, for tests: a thread takes over no loader of the thread that
// starts it. It is made into one program first, because loading file by file takes a thread five times as
// long as what it is there for, and kept until one of its sources changes, since making it takes most of the CPU of a
// start (0.86 s in all, 0.15 s with a kept one, figures of one machine). A build has every thread as a program
// of its own and does not use this file.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { threadId } from 'node:worker_threads';

const source = process.argv[2];
const file = fileURLToPath(source);
const folder = fileURLToPath(
  new URL('../../../../node_modules/.cache/proofmark-threads', import.meta.url),
);
const kept = path.join(folder, `${path.basename(file)}.json`);

const program = readKept() ?? (await make());
compileFunction(program, ['require'])(createRequire(source));

function readKept() {
  try {
    const { sources, text } = JSON.parse(readFileSync(kept, 'utf8'));
    return Object.entries(sources).every(([name, stamp]) => stampOf(name) === stamp)
      ? text
      : undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function make() {
  const { buildSync } = await import('esbuild');
  const begunMs = Date.now();
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: path.dirname(file),
    entryPoints: [file],
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    platform: 'node',
    target: 'node20',
    // They have files of their own beside their code.
    external: ['playwright-core', 'axe-core'],
  });
  const text = outputFiles[0].text;
  const names = Object.keys(metafile.inputs).map((name) => path.resolve(path.dirname(file), name));
  const sources = Object.fromEntries(names.map((name) => [name, stampOf(name)]));
  // A source that was written meanwhile may not be what was read.
  if (names.some((name) => statSync(name).mtimeMs >= begunMs)) return text;
  mkdirSync(folder, { recursive: true });
  const draft = `${kept}.${process.pid}.${threadId}`;
  writeFileSync(draft, JSON.stringify({ sources, text }));
  renameSync(draft, kept);
  return text;
}

function stampOf(name) {
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats && `${stats.size} ${stats.mtimeMs}`;
}
