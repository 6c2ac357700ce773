// The rule: no circular imports, neither of values nor of types. In a circle of values a file runs
// before its imports are initialised. Files in a circle of types cannot be understood or moved
// alone. `import(…)` does not count, since it runs later.
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

/** Returns one circle for each import that leads back to a file on the current path. */
function circlesIn(imported: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, chain: readonly string[]): void => {
    const seenAt = chain.indexOf(file);
    if (seenAt >= 0) circles.push([...chain.slice(seenAt), file]);
    if (seenAt >= 0 || done.has(file)) return;
    for (const next of imported.get(file) ?? []) walk(next, [...chain, file]);
    done.add(file);
  };
  for (const file of imported.keys()) walk(file, []);
  return circles;
}
