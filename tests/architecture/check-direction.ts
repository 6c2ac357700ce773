// The rule: a module imports itself and the modules that the direction table grants it. Packages
// are imported by name, never by a path into them, and features only by their index. A test may
// import everything of its own package, everything that its package's modules may import, the
// harness, and everything in tests/.
import path from 'node:path';
import {
  direction,
  entries,
  features,
  npmPackages,
  onlyWhenNeeded,
  outside,
  platform,
} from './direction.ts';
import { type FoundImport, readImports } from './read-imports.ts';
import { isPackageSource, isTest, listFiles, readText } from './source-tree.ts';

export function checkDirection(root: string): string[] {
  const files = listFiles(root);
  const besides = files.filter((file) => isSupport(file) && !isTest(file));
  const ofPackages = files.filter(isPackageSource).flatMap((file) =>
    moduleOf(file) in direction
      ? readImports(file, readText(root, file)).flatMap((found) => {
          const problem = judge(file, found);
          return problem === undefined ? [] : [`${file}:${found.line} ${problem}`];
        })
      : [`${file} stands in "${moduleOf(file)}", which the direction table does not know`],
  );
  return [...ofPackages, ...besides.flatMap((file) => importsOfTests(root, file))];
}

function isSupport(file: string): boolean {
  return /^(bench|scripts|packages\/harness)\/.*\.(ts|mjs)$/.test(file);
}

/** Benches, scripts and the harness import nothing of tests/: what they share is in the harness. */
function importsOfTests(root: string, file: string): string[] {
  return readImports(file, readText(root, file)).flatMap(({ specifier = '', line }) => {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const isOfTests = specifier.startsWith('.') && target.startsWith('tests/');
    return isOfTests ? [`${file}:${line} imports ${specifier}; move it to packages/harness`] : [];
  });
}

export function checkUnusedGrants(root: string): string[] {
  const used = new Set(
    listFiles(root)
      .filter((file) => isPackageSource(file) && !isTest(file))
      .flatMap((file) =>
        readImports(file, readText(root, file)).map(
          (found) => `${moduleOf(file)} ${targetModule(file, found)}`,
        ),
      ),
  );
  const ofFeatures = Object.fromEntries(
    Object.entries(features).map(([name, granted]) => [
      `features/${name}`,
      granted.map((other) => `features/${other}`),
    ]),
  );
  const { cli = [], console: ofConsole = [] } = direction;
  const tables = [platform, outside, ofFeatures, { cli, console: ofConsole }, onlyWhenNeeded];
  return tables.flatMap((table) =>
    Object.entries(table).flatMap(([module, granted]) =>
      granted
        .filter((target) => !used.has(`${module} ${target}`))
        .map((target) => `${module} may import ${target} and does not`),
    ),
  );
}

function targetModule(file: string, { specifier = '' }: FoundImport): string {
  if (specifier.startsWith('@proofmark/')) return moduleOfPackage(specifier);
  return specifier.startsWith('.')
    ? moduleOf(path.posix.join(path.posix.dirname(file), specifier))
    : '';
}

function judge(file: string, found: FoundImport): string | undefined {
  const { specifier } = found;
  if (specifier === undefined) return 'computes what it imports, so nobody can check it';
  if (specifier.startsWith('.')) return judgePath(file, specifier);
  if (isTest(file) && specifier.startsWith('@proofmark/harness/')) return undefined;
  if (specifier.startsWith('@proofmark/'))
    return judgeModule(file, moduleOfPackage(specifier), found);
  const allowed = npmPackages[moduleOf(file)];
  if (allowed === undefined || isTest(file) || allowed.includes(packageOf(specifier)))
    return undefined;
  return `imports ${specifier}, and ${moduleOf(file)} may use only ${allowed.join(', ')}`;
}

function judgePath(file: string, specifier: string): string | undefined {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  if (isTest(file) && target.startsWith('tests/')) return undefined;
  if (!target.startsWith(`${packageFolder(file)}/src/`)) {
    return `imports ${specifier}, a path out of its own package`;
  }
  const module = moduleOf(target);
  const isInside = module === moduleOf(file) || isTest(file) || moduleOf(file) === 'main';
  if (module.startsWith('features/') && !isInside && path.posix.basename(target) !== 'index.ts')
    return `imports ${specifier}; other features are used through ${module}/index.ts`;
  return judgeModule(file, module, { specifier, whenNeeded: false, line: 0 });
}

function judgeModule(file: string, target: string, found: FoundImport): string | undefined {
  const module = moduleOf(file);
  if (target === module) return undefined;
  if (isTest(file)) {
    const modules = modulesOfPackage(packageFolder(file));
    const granted = modules.flatMap((own) => [
      own,
      ...grantsOf(own),
      ...(onlyWhenNeeded[own] ?? []),
    ]);
    return granted.includes(target) ? undefined : `is a test of ${module} and imports ${target}`;
  }
  if (grantsOf(module).includes(target)) return undefined;
  if (onlyWhenNeeded[module]?.includes(target)) {
    if (found.whenNeeded) return undefined;
    return `imports ${found.specifier} at once; write import('${found.specifier}') where it is needed`;
  }
  return `imports ${target}, which ${module} may not`;
}

function grantsOf(module: string): readonly string[] {
  return direction[module] ?? [];
}

function packageFolder(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

const layers = ['platform', 'outside', 'features'];

function moduleOf(file: string): string {
  const [, packageName = '', , ...rest] = file.split('/');
  if (packageName !== 'server') return packageName;
  if (rest.length < 2) return 'server';
  const [layer = '', part = ''] = rest;
  if (!layers.includes(layer)) return layer;
  return rest.length > 2 ? `${layer}/${part}` : 'server';
}

// Returns the module of an imported entry of a repository package. The server's public entry
// belongs to its main module; its other entries are named after their modules.
function moduleOfPackage(specifier: string): string {
  const [, name = '', entry] = specifier.split('/');
  if (name !== 'server') return name;
  return entry === undefined ? 'main' : (entries[entry] ?? entry);
}

function modulesOfPackage(folder: string): string[] {
  if (folder !== 'packages/server') return [path.posix.basename(folder)];
  const others = ['domain', 'report', 'contract', 'client', 'console', 'cli'];
  return Object.keys(direction).filter((module) => !others.includes(module));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
