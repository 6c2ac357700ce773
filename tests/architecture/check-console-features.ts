// The rule inside the console: the kit imports no feature. A feature imports another feature only
// through its `index.ts`, and only if the table allows it. `main` imports features through their
// `index.ts` or loads their pages. The page behind a share link loads nothing of the console except
// its own feature.
import path from 'node:path';
import { consoleFeatures } from './direction.ts';
import { readImports } from './read-imports.ts';
import { isTest, listFiles, readText } from './source-tree.ts';

const folder = 'packages/console/src/';

export function checkConsoleFeatures(root: string): string[] {
  return consoleImports(root).flatMap(({ file, target }) => {
    const problem = judge(file, target);
    return problem === undefined ? [] : [`${folder}${file} ${problem}`];
  });
}

/**
 * Returns imports that the table allows but no source of the feature uses, and features that are
 * missing from the table.
 */
export function checkUnusedFeatureGrants(root: string): string[] {
  const imports = consoleImports(root);
  const used = new Set(imports.map(({ file, target }) => `${partOf(file)} ${partOf(target)}`));
  const unused = Object.entries(consoleFeatures).flatMap(([feature, granted]) =>
    granted
      .filter((other) => !used.has(`${feature} ${other}`))
      .map((other) => `${feature} may use ${other} and does not`),
  );
  const there = new Set(
    imports
      .map(({ file }) => file)
      .filter(isOfFeature)
      .map(partOf),
  );
  const unknown = [...there].filter((feature) => !(feature in consoleFeatures));
  return [...unused, ...unknown.map((feature) => `${feature} is not in the table`)];
}

function consoleImports(root: string): { readonly file: string; readonly target: string }[] {
  return listFiles(root)
    .filter((file) => file.startsWith(folder) && /\.tsx?$/.test(file) && !isTest(file))
    .flatMap((file) =>
      readImports(file, readText(root, file)).flatMap(({ specifier }) => {
        const target = path.posix.join(path.posix.dirname(file), specifier ?? '');
        return specifier?.startsWith('.') && target.startsWith(folder)
          ? [{ file: file.slice(folder.length), target: target.slice(folder.length) }]
          : [];
      }),
    );
}

function judge(file: string, target: string): string | undefined {
  const [from, to] = [partOf(file), partOf(target)];
  if (from === to || to === 'kit') return undefined;
  if (from === 'kit') return `is of the kit and imports ${target}`;
  if (!isOfFeature(target))
    return from === 'main' ? undefined : `imports ${target}, which is above it`;
  const isEntry = target === `features/${to}/index.ts` || isOwnSheet(file, target);
  if (from === 'main') {
    const isPage = target.startsWith(`features/${to}/pages/`);
    return isEntry || isPage
      ? undefined
      : `imports ${target}, which is neither an index nor a page`;
  }
  const granted = file === 'visit-main.tsx' ? ['visit'] : (consoleFeatures[from] ?? []);
  if (!granted.includes(to)) return `imports ${to}, which ${from} may not`;
  return isEntry ? undefined : `imports ${target}, and not the index of ${to}`;
}

function isOwnSheet(file: string, target: string): boolean {
  return file === 'visit-main.tsx' && target === 'features/visit/visit.css';
}

function isOfFeature(file: string): boolean {
  return file.startsWith('features/');
}

function partOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  if (first === 'features') return second;
  return ['main.tsx', 'no-eval.ts'].includes(first) ? 'main' : first;
}
