// The rule: no files import each other in a circle by value. In such a circle one of them runs before what it imports
// is there. Type-only imports are gone at run time and do not count; nor does `import(…)`, which runs later.
import path from 'node:path';
import { readImports } from './read-imports.ts';
import { isSource, listFiles, readText } from './source-tree.ts';

export function checkCircles(root: string): string[] {
  const files = listFiles(root).filter((file) => isSource(file) && !file.endsWith('.css'));
  const known = new Set(files);
  const imported = new Map(
    files.map((file) => [file, importsByValue(root, file).filter((target) => known.has(target))]),
  );
  return circlesIn(imported).map((circle) => `import each other by value: ${circle.join(' → ')}`);
}

function importsByValue(root: string, file: string): string[] {
  return readImports(file, readText(root, file)).flatMap(({ specifier, whenNeeded, typeOnly }) =>
    specifier?.startsWith('.') && !whenNeeded && !typeOnly
      ? [path.posix.join(path.posix.dirname(file), specifier)]
      : [],
  );
}

/** One circle for each place where a walk along the imports comes back to a file it is still in. */
function circlesIn(imported: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const seenAt = way.indexOf(file);
    if (seenAt >= 0) circles.push([...way.slice(seenAt), file]);
    if (seenAt >= 0 || done.has(file)) return;
    for (const next of imported.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  };
  for (const file of imported.keys()) walk(file, []);
  return circles;
}
