/**
 * Describes in plain words a YAML error in a suite file, and the text to write instead. The
 * parser's own messages use terms of its grammar, and one message covers several mistakes.
 */
import { caseKeys, turnKeys } from '@proofmark/domain';
import { type Document, isScalar, visit, type YAMLError } from 'yaml';

export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

export function describeYamlError(error: YAMLError, document: Document, text: string): YamlProblem {
  const offset = error.pos[0];
  const described = sayers[error.code]?.(error, text);
  if (described !== undefined)
    return typeof described === 'string' ? { offset, message: described } : described;
  const quote = error.message.startsWith('Missing closing') && openQuote(document, offset);
  if (quote !== false && quote !== undefined) {
    return { offset: quote, message: 'The text that begins here has no closing quote.' };
  }
  return { offset, message: (error.message.split('\n')[0] ?? '').trim() };
}

export function looseAlias(document: Document): YamlProblem | undefined {
  const anchors = new Set<string>();
  let found: YamlProblem | undefined;
  visit(document, {
    Node(_key, node) {
      if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return undefined;
      found = { offset: range?.[0] ?? 0, message: startsWith('*') };
      return visit.BREAK;
    },
  });
  return found;
}

type Sayer = (error: YAMLError, text: string) => string | YamlProblem | undefined;

const sayers: { readonly [Code in YAMLError['code']]?: Sayer } = {
  TAB_AS_INDENT: () => 'A tab indents this line; use spaces.',
  MULTILINE_IMPLICIT_KEY: describeKey,
  MISSING_CHAR: (error, text) => {
    if (error.message.startsWith('Sequence item')) return otherColumn;
    return error.message.startsWith('Missing closing') ? undefined : describeKey(error, text);
  },
  BAD_INDENT: ({ message }) =>
    message.startsWith('Flow')
      ? 'An opening bracket, { or [, before this line is not closed.'
      : otherColumn,
  BLOCK_AS_IMPLICIT_KEY: describeNested,
  BLOCK_IN_FLOW: () => 'Between brackets, put a text or a call with a colon in quotes.',
  UNEXPECTED_TOKEN: ({ message }) => {
    if (message.includes('scalar at node end')) {
      return 'Text follows a closing quote or bracket; put the whole value in quotes.';
    }
    return message.includes('block-seq-ind')
      ? 'Begin the list on the line below its key.'
      : undefined;
  },
  BAD_SCALAR_START: ({ pos: [offset] }, text) => startsWith(text[offset] ?? ''),
  TAG_RESOLVE_FAILED: () => startsWith('!'),
  NON_STRING_KEY: () => startsWith('{ or ['),
  BAD_DQ_ESCAPE: () => 'Between double quotes, \\ begins an escape; write \\\\ for a backslash.',
};

const otherColumn =
  'This line is indented differently from the keys around it; all keys of one map must begin in the same column.';

function startsWith(character: string): string {
  return `Put a text that begins with ${character} in quotes.`;
}

function describeKey({ pos: [offset] }: YAMLError, text: string): string {
  const [, word = '', colon, rest = ''] =
    /^([A-Za-z]\w*)(:?)[ \t]*(.*)/.exec(lineFrom(text, offset)) ?? [];
  if (colon === ':') return `Write a space after the colon: ${word}: ${shown(rest)}`;
  if (keys.has(word)) return `The colon after ${word} is missing: ${word}: ${shown(rest)}`;
  return 'This line has no key; write key: value, or indent the line further than its key if it continues a text.';
}

const keys: ReadonlySet<string> = new Set([...turnKeys, ...caseKeys]);

function describeNested({ message, pos: [offset] }: YAMLError, text: string): string | YamlProblem {
  if (message.includes('block sequence')) {
    return 'A list cannot begin among the keys of a map; write it below a key of its own, such as then.';
  }
  const line = lineFrom(text, offset);
  if (/^[^\s()]+\(/.test(line) && !line.trimEnd().endsWith(')')) {
    return 'This call has no closing parenthesis; write the whole call on one line.';
  }
  if (/:(\s|$)/.test(line)) return `Put a text with a colon in quotes: "${shown(line)}"`;
  const next = /\n[ \t]*(?=[^\s])/.exec(text.slice(offset));
  return {
    offset: next === null ? offset : offset + next.index + next[0].length,
    message: otherColumn,
  };
}

function openQuote(document: Document, end: number): number | undefined {
  let found: number | undefined;
  visit(document, {
    Scalar(_key, node) {
      const start = node.range?.[0] ?? 0;
      if (isScalar(node) && node.type?.startsWith('QUOTE') && start <= end) found = start;
    },
  });
  return found;
}

function lineFrom(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(offset, end === -1 ? undefined : end).trimEnd();
}

function shown(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
