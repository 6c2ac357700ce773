// Bundles a TypeScript file and all its imports into one program, for tests. The program is stored
// until a source changes, since bundling takes a second of CPU or more and many tests start the
// same program.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const cache = fileURLToPath(new URL('../../../../../node_modules/.cache/', import.meta.url));

export function keptProgram(file, folder, options) {
  const kept = path.join(cache, folder, `${path.basename(file)}.json`);
  return readKept(file, kept, options) ?? make(file, kept, options);
}

export function writeWhole(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${threadId}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function readKept(file, kept, options) {
  try {
    const { of, sources, text, madeWith } = JSON.parse(readFileSync(kept, 'utf8'));
    const isSame =
      of === file &&
      madeWith === JSON.stringify(options) &&
      Object.entries(sources).every(([name, stamp]) => stampOf(name) === stamp);
    return isSame ? text : undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function make(file, kept, options) {
  const { buildSync } = createRequire(import.meta.url)('esbuild');
  const begunMs = Date.now();
  const folder = path.dirname(file);
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: [file],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    ...options,
  });
  const text = outputFiles[0].text;
  const names = Object.keys(metafile.inputs).map((name) => path.resolve(folder, name));
  const sources = Object.fromEntries(names.map((name) => [name, stampOf(name)]));
  // A source that changed during the bundling may differ from what was bundled, so the program is
  // not stored.
  if (names.some((name) => statSync(name).mtimeMs >= begunMs)) return text;
  writeWhole(kept, JSON.stringify({ of: file, sources, text, madeWith: JSON.stringify(options) }));
  return text;
}

function stampOf(name) {
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats && `${stats.size} ${stats.mtimeMs}`;
}
