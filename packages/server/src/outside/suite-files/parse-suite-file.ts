/**
 * Reads a whole suite file in the calling thread. It must be one document of YAML 1.2 with the core
 * types only; JSON is valid YAML. Nesting and the expansion of aliases are limited, but time and
 * memory are not. A hostile file of 1 MiB takes seconds, so the service reads files only through
 * readSuiteFile.
 */
import {
  checkValue,
  completeSuiteFile,
  type ExpandedSuiteFile,
  expandSuiteFile,
  SuiteFile,
  type SuiteFileHelp,
  type ValueProblem,
  withoutEchoes,
} from '@proofmark/domain';
import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
} from 'yaml';
import { cutTexts } from './cut-texts.ts';
import { inFileWords } from './file-words.ts';
import { quoteCalls } from './quote-calls.ts';
import { readArguments } from './read-arguments.ts';
import {
  type ReadSuiteFile,
  refused,
  type SuiteFileFinding,
  type SuiteFileFindings,
  short,
} from './refused-file.ts';
import type { WrittenPlaces } from './written-places.ts';
import { composing, deepBracket, deepestSuiteFile, repeatedKey } from './yaml-dialect.ts';
import { describeYamlError, looseAlias } from './yaml-words.ts';

const maxAliasCount = 100;

export function parseSuiteFile(typed: string, help: SuiteFileHelp = {}): ReadSuiteFile {
  const text = quoteCalls(typed);
  const lines = new LineCounter();
  const lineOf = (offset: number) => lines.linePos(offset);
  const at = (offset: number) => placeText(lineOf(offset));
  const bracket = deepBracket(text);
  if (bracket !== undefined) {
    return refused('SUITE_FILE_YAML_INVALID', tooDeep(lineAndColumn(text, bracket)));
  }
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const block = deepBlock(tokens);
  if (block !== undefined) return refused('SUITE_FILE_YAML_INVALID', tooDeep(at(block)));
  const documents = [...new Composer(composing).compose(tokens)];
  if (documents.length === 0) {
    return refused('SUITE_FILE_EMPTY', 'The suite file is empty.');
  }
  if (documents.length > 1) {
    const message = 'The suite file contains several YAML documents; keep only one.';
    return refused('SUITE_FILE_MULTIPLE_DOCUMENTS', message);
  }
  return readDocument(documents[0] as Document.Parsed, { text, lineOf, at, help });
}

interface Reading {
  readonly text: string;
  readonly lineOf: (offset: number) => { readonly line: number; readonly col: number };
  readonly at: (offset: number) => string;
  readonly help: SuiteFileHelp;
}

function readDocument(
  document: Document.Parsed,
  { text, lineOf, at, help }: Reading,
): ReadSuiteFile {
  const problem = document.errors[0] ?? document.warnings[0];
  const yamlProblem = problem ? describeYamlError(problem, document, text) : looseAlias(document);
  if (yamlProblem !== undefined) {
    return refused('SUITE_FILE_YAML_INVALID', `${at(yamlProblem.offset)}: ${yamlProblem.message}`);
  }
  const twice = repeatedKey(document);
  if (twice !== undefined) {
    const message = `${at(twice.offset)}: the key ${JSON.stringify(short(twice.key))} is used twice in one map.`;
    return refused('SUITE_FILE_YAML_INVALID', message);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount });
  } catch {
    const message = `The aliases of the suite file expand to too many values; at most ${maxAliasCount} are allowed.`;
    return refused('SUITE_FILE_YAML_INVALID', message);
  }
  if (value === null || value === undefined) {
    return refused('SUITE_FILE_EMPTY', 'The suite file is empty.');
  }
  const odd = oddValue(value);
  if (odd !== undefined) return invalidAt([odd], document, at);
  return checkFile(value, document, { text, lineOf, at, help });
}

/** Checks the expanded file. Problems are reported at their positions in the file as written. */
function checkFile(
  value: unknown,
  document: Document.Parsed,
  { text, lineOf, at, help }: Reading,
): ReadSuiteFile {
  const expanded = expandSuiteFile(value, readArguments);
  const oddArgument = oddValue(expanded.file);
  if (oddArgument !== undefined) {
    return invalidAt([expanded.asWritten(oddArgument) ?? oddArgument], document, at);
  }
  const checked = checkValue(SuiteFile, completeSuiteFile(expanded.file, help));
  if ('value' in checked && expanded.problems.length === 0) {
    const places = placesOf(checked.value, { expanded, document, lineOf });
    const cut = cutTexts(document, text).map(({ path, offset, message }) => ({
      path,
      message: `${at(offset)}: ${message}`,
    }));
    return { file: checked.value, places, ...(cut.length > 0 && { cut }) };
  }
  const problems = 'problems' in checked ? problemsAsWritten(checked.problems, expanded) : [];
  const wordedProblems = inFileWords(withoutEchoes([...expanded.problems, ...problems]));
  return invalidAt(wordedProblems, document, at);
}

/** Returns where each case, step, assertion and quarantine entry is in the file as written. */
function placesOf(
  { cases, quarantine = [] }: SuiteFile,
  {
    expanded,
    document,
    lineOf,
  }: Pick<Reading, 'lineOf'> & {
    readonly expanded: ExpandedSuiteFile;
    readonly document: Document.Parsed;
  },
): WrittenPlaces {
  const ofCases = cases.flatMap(({ steps, assertions = [] }, index) => [
    ['cases', index],
    ...steps.map((_, step) => ['cases', index, 'steps', step]),
    ...assertions.map((_, assertion) => ['cases', index, 'assertions', assertion]),
  ]);
  const paths = [
    ...ofCases,
    ['quarantine'],
    ...quarantine.map((_, index) => ['quarantine', index]),
  ];
  return Object.fromEntries(
    paths.map((path) => {
      const written = expanded.asWritten({ path, message: '' })?.path ?? path;
      const { line, col } = lineOf(offsetOf(document, { path: written, message: '' }));
      return [spell(path), { path: spell(written), line, column: col }];
    }),
  );
}

/**
 * Completing a file adds missing keys, so a misspelt key would be reported only as unknown. The
 * file as written is therefore checked too, and its problem with a key is preferred.
 */
function problemsAsWritten(
  problems: readonly ValueProblem[],
  { file, asWritten }: ExpandedSuiteFile,
): ValueProblem[] {
  const written = checkValue(SuiteFile, file);
  const keys = 'problems' in written ? written.problems.filter(({ atKey }) => atKey) : [];
  return problems.flatMap((problem) => {
    const place = problem.path.join();
    const stated = problem.atKey && keys.find(({ path }) => path.join() === place);
    return asWritten(stated || problem) ?? [];
  });
}

/**
 * Returns the first value that cannot be JSON, or the first key that the service does not allow in
 * objects. Uses an explicit stack, so that deep nesting cannot exhaust the call stack.
 */
function oddValue(root: unknown): ValueProblem | undefined {
  const open: { value: unknown; path: ValueProblem['path'] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    const message = oddAlone(value, path.length);
    if (message !== undefined) return { path, message };
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const inside = [...path, Array.isArray(value) ? Number(key) : key];
      const keyMessage = oddKey(key);
      if (keyMessage !== undefined) return { path, message: keyMessage };
      open.push({ value: inner, path: inside });
    }
  }
  return undefined;
}

function oddAlone(value: unknown, depth: number): string | undefined {
  if (depth > deepestSuiteFile) return tooDeep('Here');
  if (typeof value === 'number' && !Number.isFinite(value)) return 'This is not a finite number.';
  if (typeof value === 'string' && !isStorableText(value)) {
    return 'This text has a character that cannot be stored.';
  }
  return undefined;
}

function oddKey(key: string): string | undefined {
  if (key === '__proto__') return 'A key must not be called __proto__.';
  return isStorableText(key) ? undefined : 'A key has a character that cannot be stored.';
}

function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Returns the offset at which blocks are nested too deeply. The parser has an explicit stack, but
 * the composer recurses at every level. If the composer runs out of stack inside a regular
 * expression, the whole process ends and not only the thread, so deeply nested text must not reach
 * it.
 */
function deepBlock(tokens: readonly CST.Token[]): number | undefined {
  const open: { token: CST.Token; depth: number }[] = [];
  const push = (token: CST.Token | null | undefined, depth: number) => {
    if (token) open.push({ token, depth });
  };
  for (const token of tokens) push(token, 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (token.type === 'document') push(token.value, depth);
    if (!('items' in token)) continue;
    if (depth >= deepestSuiteFile) return token.offset;
    for (const { key, value } of token.items) {
      push(key, depth + 1);
      push(value, depth + 1);
    }
  }
  return undefined;
}

function tooDeep(where: string): string {
  return `${where}: the suite file is nested deeper than ${deepestSuiteFile} levels.`;
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return placeText({ line: before.length, col: (before.at(-1)?.length ?? 0) + 1 });
}

function placeText({ line, col }: { line: number; col: number }): string {
  return `Line ${line}, column ${col}`;
}

function invalidAt(
  problems: readonly ValueProblem[],
  document: Document.Parsed,
  at: (offset: number) => string,
): { readonly findings: SuiteFileFindings } {
  const findings = problems.slice(0, mostFindings).map((problem): SuiteFileFinding => {
    const { path, message } = problem;
    const spelled = spell(path);
    const sentence = spelled === '' ? message : `${short(spelled)}: ${message}`;
    return {
      path: short(spelled),
      code: 'SUITE_FILE_INVALID',
      message: short(`${at(offsetOf(document, problem))}: ${sentence}`),
    };
  });
  const key = ({ path, code, message }: SuiteFileFinding) => `${path}\0${code}\0${message}`;
  findings.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return { findings: findings as [SuiteFileFinding, ...SuiteFileFinding[]] };
}

const mostFindings = 20;

function spell(path: ValueProblem['path']): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/**
 * Returns the offset of the key or value that has the problem, or of the nearest node around it
 * that exists.
 */
function offsetOf(document: Document.Parsed, { path, atKey }: ValueProblem): number {
  const around = atKey ? nodeIn(document, path.slice(0, -1)) : undefined;
  if (isMap(around)) {
    const name = path.at(-1);
    const pair = around.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0];
  }
  for (let length = path.length; length >= 0; length -= 1) {
    const node = nodeIn(document, path.slice(0, length));
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function nodeIn(document: Document.Parsed, path: ValueProblem['path']): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    if (!isMap(node) && !isSeq(node)) return undefined;
    node = node.get(step, true);
  }
  return node;
}
