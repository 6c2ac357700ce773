/**
 * Puts quotes around calls that a person typed without them, as in `calls: get_book(bookId: 3)`,
 * since YAML ends a plain value at a colon with a space. Only the values of `call` and `calls`, and
 * of keys that may be misspellings of them, are changed. No line moves, so the positions of
 * findings stay true.
 */
import { caseKeys, turnKeys } from '@proofmark/domain';
import { Lexer } from 'yaml';
import { lexerMarks } from './yaml-dialect.ts';

export function quoteCalls(text: string): string {
  if (!text.includes('(')) return text;
  const scanner = new CallScanner(text);
  for (const token of new Lexer().lex(text)) scanner.take(token);
  return scanner.quoted();
}

interface Opened {
  readonly column: number;
  readonly name: string;
}

interface Scalar {
  readonly offset: number;
  readonly text: string;
  /** The token before the scalar on its line. */
  readonly after: 'key' | 'dash' | undefined;
}

class CallScanner {
  readonly #text: string;
  readonly #parts: string[] = [];
  /** All text before this offset is already copied to the output. */
  #copied = 0;
  #offset = 0;
  #lineStart = 0;
  #flowLevel = 0;
  #open: Opened[] = [];
  #after: Scalar['after'];
  #scalar: Scalar | undefined;
  #isScalarNext = false;

  constructor(text: string) {
    this.#text = text;
  }

  quoted(): string {
    return this.#copied === 0
      ? this.#text
      : [...this.#parts, this.#text.slice(this.#copied)].join('');
  }

  take(token: string): void {
    const isScalar = this.#isScalarNext;
    this.#isScalarNext = !isScalar && token === scalarMark;
    if (!isScalar && lexerMarks.has(token)) return;
    const offset = this.#offset;
    this.#offset += token.length;
    // Tokens inside a call that is already quoted are ignored.
    if (offset >= this.#copied) this.#read(token, offset, isScalar);
    const newline = token.lastIndexOf('\n');
    if (newline === -1) return;
    this.#lineStart = offset + newline + 1;
    this.#after = undefined;
    this.#scalar = undefined;
  }

  #read(token: string, offset: number, isScalar: boolean): void {
    if (token === '[' || token === '{') this.#flowLevel += 1;
    if (token === ']' || token === '}') this.#flowLevel = Math.max(0, this.#flowLevel - 1);
    if (this.#flowLevel > 0 || /^[ \t]+$/.test(token)) return;
    if (isScalar) {
      this.#scalar = { offset, text: token, after: this.#after };
      this.#after = undefined;
    } else if (token === ':' && this.#scalar !== undefined) {
      this.#readKey(this.#scalar);
      this.#scalar = undefined;
    } else if (token === '-') {
      this.#push(offset - this.#lineStart, '-');
      this.#after = 'dash';
    } else {
      if (token === '---' || token === '...') this.#open = [];
      this.#after = undefined;
      this.#scalar = undefined;
    }
  }

  /**
   * Reads a scalar before a colon: either a key, or a call whose first argument contains the colon.
   */
  #readKey({ offset, text, after }: Scalar): void {
    if (after !== undefined && /^[^\s()]+\s*\(/.test(text) && this.#isCallPlace(after)) {
      const call = callAt(this.#text, offset);
      if (call !== undefined) {
        const quoted = `'${call.replaceAll("'", "''")}'`;
        this.#parts.push(this.#text.slice(this.#copied, offset), quoted);
        this.#copied = offset + call.length;
        return;
      }
    }
    this.#push(offset - this.#lineStart, text);
    this.#after = 'key';
  }

  #push(column: number, name: string): void {
    // A list may begin in the same column as its key, so a dash in that column closes only other
    // dashes.
    const isClosed = (one: Opened) =>
      one.column > column || (one.column === column && (name !== '-' || one.name === '-'));
    while (this.#open.length > 0 && isClosed(this.#open.at(-1) as Opened)) this.#open.pop();
    this.#open.push({ column, name });
  }

  #isCallPlace(after: 'key' | 'dash'): boolean {
    const names = this.#open.map(({ name }) => name);
    if (after === 'dash' && names.pop() !== '-') return false;
    const key = names.pop();
    // An unquoted call directly after a key is never valid YAML. So it is quoted even if the key is
    // unknown, which may be a misspelling of `call` or `calls`.
    const isKnown =
      key === undefined || turnKeys.some((one) => one === key) || caseKeys.includes(key);
    if (key !== 'call' && key !== 'calls' && (isKnown || after === 'dash')) return false;
    if (names.shift() !== 'cases' || names.shift() !== '-') return false;
    return names.every((name, index) => name === (index % 2 === 0 ? 'then' : '-'));
  }
}

const scalarMark = '\u001f';

function callAt(text: string, offset: number): string | undefined {
  const end = text.indexOf('\n', offset);
  const line = text.slice(offset, end === -1 ? undefined : end);
  // A # or a parenthesis inside quotes is part of the text, so quoted text is masked first.
  const masked = line.replaceAll(quotedText, (found) => '_'.repeat(found.length));
  const comment = masked.search(/\s#/);
  const call = masked.slice(0, comment === -1 ? undefined : comment).trimEnd();
  return call.endsWith(')') ? line.slice(0, call.length) : undefined;
}

const quotedText = /[([{,:]\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/g;
