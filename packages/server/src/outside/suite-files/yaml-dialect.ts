import { type Document, isNode, isScalar, Lexer, visit } from 'yaml';

export const deepestSuiteFile = 64;

export const composing = {
  schema: 'core',
  version: '1.2',
  resolveKnownTags: false,
  stringKeys: true,
  // Duplicate keys are found below instead: the YAML composer would compare every key of a map with
  // all others.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
} as const;

export function repeatedKey(
  document: Document.Parsed,
): { key: string; offset: number } | undefined {
  let found: { key: string; offset: number } | undefined;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : '';
        if (seen.has(name))
          found ??= { key: name, offset: isNode(key) ? (key.range?.[0] ?? 0) : 0 };
        seen.add(name);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

/**
 * Returns the offset at which brackets are nested too deeply. Brackets are counted in the text,
 * before the parser builds anything.
 */
export function deepBracket(text: string): number | undefined {
  let depth = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth > deepestSuiteFile) return offset;
    if (!lexerMarks.has(token)) offset += token.length;
  }
  return undefined;
}

/** Tokens that the lexer inserts without a text in the file. */
export const lexerMarks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);
