/**
 * Reads a suite file. YAML 1.2 with its core types and no others; JSON is YAML too. One document, bounded in bytes, in
 * nesting and in what aliases may expand to. Every problem is one sentence that says where it lies.
 */
import { SuiteFile } from '@proofmark/domain';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseAllDocuments,
  visit,
} from 'yaml';

export const largestSuiteFileBytes = 1_048_576;
export const deepestSuiteFile = 64;
const maxAliasCount = 100;
/** What parsing costs grows with these and not with bytes. The largest files people write have half as many. */
const maxPieces = 250_000;

export type SuiteFileCode =
  | 'SUITE_FILE_TOO_LARGE'
  | 'SUITE_FILE_EMPTY'
  | 'SUITE_FILE_YAML_INVALID'
  | 'SUITE_FILE_MULTIPLE_DOCUMENTS'
  | 'SUITE_FILE_INVALID';

export interface SuiteFileFinding {
  readonly path: string;
  readonly code: SuiteFileCode;
  readonly message: string;
}

export type ReadSuiteFile =
  | { readonly file: SuiteFile }
  /** Sorted by path, code and message. */
  | { readonly findings: readonly [SuiteFileFinding, ...SuiteFileFinding[]] };

type Path = readonly (string | number)[];

export function readSuiteFile(text: string): ReadSuiteFile {
  if (Buffer.byteLength(text) > largestSuiteFileBytes) {
    const message = `A suite file has at most ${largestSuiteFileBytes} bytes.`;
    return refused('SUITE_FILE_TOO_LARGE', message);
  }
  const lines = new LineCounter();
  const deep = tooDeepAt(text);
  if (deep === 'tooMany') {
    const message = `The suite file is made of more than ${maxPieces} words and marks; split it.`;
    return refused('SUITE_FILE_TOO_LARGE', message);
  }
  if (deep !== undefined) return refused('SUITE_FILE_YAML_INVALID', tooDeep(place(text, deep)));
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    schema: 'core',
    version: '1.2',
    resolveKnownTags: false,
    stringKeys: true,
    // Looked for below: the parser compares every key of a map with all others.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  if (!Array.isArray(documents) || documents.length === 0) {
    return refused('SUITE_FILE_EMPTY', 'The suite file is empty.');
  }
  if (documents.length > 1) {
    const message = 'The suite file holds several documents; keep one.';
    return refused('SUITE_FILE_MULTIPLE_DOCUMENTS', message);
  }
  return readDocument(documents[0] as Document.Parsed, (offset) => sayPlace(lines.linePos(offset)));
}

function readDocument(document: Document.Parsed, at: (offset: number) => string): ReadSuiteFile {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const message = `${at(problem.pos[0])}: ${firstSentence(problem.message)}`;
    return refused('SUITE_FILE_YAML_INVALID', message);
  }
  const twice = repeatedKey(document);
  if (twice !== undefined) {
    const message = `${at(twice.offset)}: the key ${JSON.stringify(short(twice.key))} stands twice in one map.`;
    return refused('SUITE_FILE_YAML_INVALID', message);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount });
  } catch {
    const message = `The aliases of the suite file expand to too much; at most ${maxAliasCount} are allowed.`;
    return refused('SUITE_FILE_YAML_INVALID', message);
  }
  if (value === null || value === undefined) {
    return refused('SUITE_FILE_EMPTY', 'The suite file is empty.');
  }
  const odd = oddValue(value);
  if (odd !== undefined) return finding('SUITE_FILE_INVALID', odd, document, at);
  const parsed = SuiteFile.safeParse(value);
  if (parsed.success) return { file: parsed.data };
  const findings = parsed.error.issues.slice(0, 20).map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const path = [...issue.path, ...unknown] as (string | number)[];
    return describe('SUITE_FILE_INVALID', { path, message: issue.message }, document, at);
  });
  return { findings: sorted(findings) };
}

function repeatedKey(document: Document.Parsed): { key: string; offset: number } | undefined {
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

/** What JSON could not say, or what no object of ours may hold. The walk has its own stack. */
function oddValue(root: unknown): { path: Path; message: string } | undefined {
  const open: { value: unknown; path: Path }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (path.length > deepestSuiteFile) return { path, message: tooDeep('Here') };
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return { path, message: 'This is no finite number.' };
    }
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      return { path, message: 'This text holds a character that cannot be kept.' };
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const inside = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === '__proto__') return { path, message: 'A key must not be called __proto__.' };
      if (key.includes('\0') || !key.isWellFormed()) {
        return { path, message: 'A key holds a character that cannot be kept.' };
      }
      open.push({ value: inner, path: inside });
    }
  }
  return undefined;
}

/** Brackets are counted before anything is built of them. Blocks need an indentation each, so bytes bound them. */
function tooDeepAt(text: string): number | 'tooMany' | undefined {
  let depth = 0;
  let pieces = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth > deepestSuiteFile) return offset;
    pieces += 1;
    if (pieces > maxPieces) return 'tooMany';
    if (!lexerMarks.has(token)) offset += token.length;
  }
  return undefined;
}

/** Tokens that stand for no text of the file. */
const lexerMarks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);

function tooDeep(where: string): string {
  return `${where}: the suite file is nested deeper than ${deepestSuiteFile} levels.`;
}

function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return sayPlace({ line: before.length, col: (before.at(-1)?.length ?? 0) + 1 });
}

function sayPlace({ line, col }: { line: number; col: number }): string {
  return `Line ${line}, column ${col}`;
}

function describe(
  code: SuiteFileCode,
  { path, message }: { path: Path; message: string },
  document: Document.Parsed,
  at: (offset: number) => string,
): SuiteFileFinding {
  const spelled = path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`,
    '',
  );
  const said = spelled === '' ? message : `${short(spelled)}: ${message}`;
  return { path: short(spelled), code, message: short(`${at(offsetOf(document, path))}: ${said}`) };
}

/** Of the value itself, or of the nearest that is there around it. */
function offsetOf(document: Document.Parsed, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : nodeIn(document, path.slice(0, length));
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function nodeIn(document: Document.Parsed, path: Path): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    if (!isMap(node) && !isSeq(node)) return undefined;
    node = node.get(step, true);
  }
  return node;
}

function finding(
  code: SuiteFileCode,
  problem: { path: Path; message: string },
  document: Document.Parsed,
  at: (offset: number) => string,
): ReadSuiteFile {
  return { findings: [describe(code, problem, document, at)] };
}

function refused(code: SuiteFileCode, message: string): ReadSuiteFile {
  return { findings: [{ path: '', code, message: short(message) }] };
}

function sorted(findings: SuiteFileFinding[]): [SuiteFileFinding, ...SuiteFileFinding[]] {
  const key = ({ path, code, message }: SuiteFileFinding) => `${path}\0${code}\0${message}`;
  const inOrder = findings.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return inOrder as [SuiteFileFinding, ...SuiteFileFinding[]];
}

function firstSentence(message: string): string {
  return (message.split('\n')[0] ?? '').trim();
}

function short(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
