// Reads every import of a file from its syntax tree: static and type-only imports, re-exports,
// `import(…)` in code and in types, and `require`. Comments and strings are ignored.
import ts from 'typescript';

export type FoundImport = {
  /** The name of the imported module; undefined if it is computed. */
  specifier: string | undefined;
  whenNeeded: boolean;
  line: number;
};

const readBefore = new Map<string, FoundImport[]>();

export function readImports(file: string, text: string): FoundImport[] {
  const key = `${file}\n${text}`;
  const found = readBefore.get(key) ?? findImports(file, text);
  readBefore.set(key, found);
  return found;
}

function findImports(file: string, whole: string): FoundImport[] {
  const text = upToLastImport(whole);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, scriptKind(file));
  const found: FoundImport[] = [];
  const add = (node: ts.Node, module: ts.Node | undefined, whenNeeded: boolean) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const specifier = module && literalName(module);
    found.push({ specifier, whenNeeded, line: line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.moduleSpecifier, false);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node.moduleSpecifier, node.moduleSpecifier, false);
    } else if (ts.isExternalModuleReference(node)) add(node, node.expression, false);
    else if (ts.isImportTypeNode(node)) {
      const { argument } = node;
      add(node, ts.isLiteralTypeNode(argument) ? argument.literal : undefined, true);
    } else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node, node.arguments[0], true);
      else if (ts.isIdentifier(node.expression) && node.expression.text === 'require') {
        add(node, node.arguments[0], false);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Returns the text up to the last line that can contain an import, since parsing the rest would
 * take most of the time. For `import(…)` and `require`, the whole text is returned, since their
 * arguments may be on further lines.
 */
function upToLastImport(text: string): string {
  let end = 0;
  for (const { 0: words, index } of text.matchAll(/\bimport\b\s*\(?|\brequire\b|\bfrom\s*['"]/g)) {
    if (words === 'require' || words.endsWith('(')) return text;
    end = index + words.length;
  }
  const lineEnd = text.indexOf('\n', end);
  return lineEnd === -1 ? text : text.slice(0, lineEnd);
}

// Returns the name of an imported module. For a template literal, only a leading npm scope is
// certain, as in `@scope/${name}`.
function literalName(module: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(module)) return module.text;
  const head = ts.isTemplateExpression(module) ? module.head.text : '';
  return /^@[a-z0-9-]+\//.test(head) && !head.startsWith('@proofmark/') ? head : undefined;
}

function scriptKind(file: string): ts.ScriptKind {
  return file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}
