// The rule: no two files of a package export the same name, as a value or as a type. A value and a
// type of the same name in one file count once. No type of the domain or the server has the name of
// an API shape, since the two differ. Tests, the harness, fixtures and migrations are not checked.
import ts from 'typescript';
import { isPackageSource, isTest, listFiles, readText } from './source-tree.ts';

interface ExportedName {
  readonly name: string;
  readonly file: string;
  readonly package: string;
  readonly isType: boolean;
}

export function checkExportedNames(root: string): string[] {
  const exported = listFiles(root)
    .filter((file) => isPackageSource(file) && !isTest(file) && !leftOut.test(file))
    .flatMap((file) => exportedNames(file, readText(root, file)));
  return [...sharedInOnePackage(exported), ...shapesNamedAgain(exported)];
}

const leftOut = /\.fixture\.ts$|\/platform\/migrations\/(?:\d|base-line\/)/;

function sharedInOnePackage(exported: readonly ExportedName[]): string[] {
  const groups = new Map<string, ExportedName[]>();
  for (const one of exported) {
    const key = `${one.package} ${one.name}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const files = [...new Set(group.map(({ file }) => file))];
    return files.length > 1 ? [`${group[0]?.name} is exported by ${files.join(' and ')}`] : [];
  });
}

function shapesNamedAgain(exported: readonly ExportedName[]): string[] {
  const shapes = new Map(
    exported
      .filter((one) => one.package === 'contract' && /^[A-Z]/.test(one.name))
      .map(({ name, file }) => [name, file]),
  );
  return exported
    .filter((one) => ['domain', 'server'].includes(one.package) && one.isType)
    .filter(({ name }) => shapes.has(name))
    .map(({ name, file }) => `${name} of ${file} is also a shape of ${shapes.get(name)}`);
}

function exportedNames(file: string, text: string): ExportedName[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const [, packageName = ''] = file.split('/');
  return source.statements.filter(isExported).flatMap((statement) => {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return namesOf(statement).map((name) => ({ name, file, package: packageName, isType }));
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  }
  const { name } = statement as { name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}
