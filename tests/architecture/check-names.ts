// The rules: files and folders in kebab-case; no folder with a meaningless name; no default export
// except in a tool's configuration; no index.ts except as the entry of a package or a feature; the
// environment is read only in main modules.
import ts from 'typescript';
import { isPackageSource, isSource, isTest, listFiles, readText } from './source-tree.ts';

const namedFolders = /^(packages|tests|scripts|bench|docs)\//;
const kebabCase = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const saysNothing = ['utils', 'lib', 'helpers', 'common', 'shared', 'services'];
/**
 * A file without these words and without escapes needs no syntax tree, which takes most of the
 * time.
 */
const mayBreakRule = /\bdefault\b|\benv\b|\\u/;
const readsEnvironment = /^packages\/(server\/src\/main|cli\/src)\//;

export function checkNames(root: string): string[] {
  const files = listFiles(root);
  const entries = packageEntries(root, files);
  return files.flatMap((file) => [
    ...checkPath(file),
    ...(isSource(file) ? checkSource(file, readText(root, file), entries) : []),
  ]);
}

function checkPath(file: string): string[] {
  const parts = file.split('/');
  const problems = parts
    .slice(0, -1)
    .filter((folder) => saysNothing.includes(folder))
    .map((folder) => `${file} stands in a folder called ${folder}`);
  const odd = parts.find((part) => !kebabCase.test(part) && part !== 'README.md');
  if (namedFolders.test(file) && odd !== undefined)
    problems.push(`${file}: ${odd} is not kebab-case`);
  return problems;
}

function checkSource(file: string, text: string, entries: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const isFeatureIndex = /\/src\/features\/[^/]+\/index\.tsx?$/.test(file);
  if (/\/index\.tsx?$/.test(file) && !isFeatureIndex && !entries.has(file)) {
    problems.push(`${file} is an index but the entry of no package and no feature`);
  }
  if (file.endsWith('.css') || !mayBreakRule.test(text)) return problems;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const isConfiguration = /\.config\.(ts|mjs|js)$/.test(file);
  if (!isConfiguration && source.statements.some(isDefaultExport)) {
    problems.push(`${file} has a default export`);
  }
  const mayReadEnvironment = !isPackageSource(file) || isTest(file) || readsEnvironment.test(file);
  if (!mayReadEnvironment && someNode(source, isEnvironmentRead)) {
    problems.push(`${file} reads the environment`);
  }
  return problems;
}

function packageEntries(root: string, files: readonly string[]): Set<string> {
  const manifests = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  return new Set(
    manifests.flatMap((manifest) => {
      const exported: Record<string, string> = JSON.parse(readText(root, manifest)).exports ?? {};
      return Object.values(exported).map((target) =>
        manifest.replace('package.json', target.slice(2)),
      );
    }),
  );
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    return (
      clause !== undefined &&
      ts.isNamedExports(clause) &&
      clause.elements.some((element) => element.name.text === 'default')
    );
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}

function isEnvironmentRead(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node))
    return isProcess(node.expression) && node.name.text === 'env';
  if (ts.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    return isProcess(node.expression) && ts.isStringLiteralLike(key) && key.text === 'env';
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    if (node.initializer === undefined || !isProcess(node.initializer)) return false;
    return node.name.elements.some((element) => nameOf(element) === 'env');
  }
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const bindings = node.importClause?.namedBindings;
    if (!/^(node:)?process$/.test(node.moduleSpecifier.text)) return false;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return false;
    return bindings.elements.some((element) => nameOf(element) === 'env');
  }
  return false;
}

function isProcess(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return node.text === 'process';
  return ts.isPropertyAccessExpression(node) && node.name.text === 'process';
}

function nameOf(element: ts.BindingElement | ts.ImportSpecifier): string | undefined {
  const name = element.propertyName ?? element.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}

function someNode(node: ts.Node, matches: (node: ts.Node) => boolean): boolean {
  return matches(node) || (ts.forEachChild(node, (child) => someNode(child, matches)) ?? false);
}
