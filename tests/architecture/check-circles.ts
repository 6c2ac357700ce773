// The rule: no files import each other in a circle, neither by value nor by type. In a circle by value one file runs
// before what it imports is there; in a circle by type none of them can be understood or moved alone. `import(…)` does
// not count: it runs later.
import path from 'node:path';
import { readImports } from './read-imports.ts';
import { isSource, listFiles, readText } from './source-tree.ts';

export function checkCircles(root: string): string[] {
  const files = listFiles(root).filter((file) => isSource(file) && !file.endsWith('.css'));
  const known = new Set(files);
  const imported = new Map(
    files.map((file) => [file, staticImports(root, file).filter((target) => known.has(target))]),
  );
  return circlesIn(imported).map((circle) => `import each other: ${circle.join(' → ')}`);
}

function staticImports(root: string, file: string): string[] {
  return readImports(file, readText(root, file)).flatMap(({ specifier, whenNeeded }) =>
    specifier?.startsWith('.') && !whenNeeded
      ? [path.posix.join(path.posix.dirname(file), specifier)]
      : [],
  );
}

/** One circle for each place where a walk along the imports comes back to a file it is still in. */
function circlesIn(imported: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(file);
    if (seenAt >= 0) circles.push([...trail.slice(seenAt), file]);
    if (seenAt >= 0 || done.has(file)) return;
    for (const next of imported.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of imported.keys()) walk(file, []);
  return circles;
}
