/**
 * Parses simple regular expressions of schemas without a regex engine: literals, classes, groups,
 * choices, repetitions, and ^ and $ at the ends. Other syntax (lookaround, references, flags, word
 * boundaries) is not supported.
 */
export type SimplePattern =
  | { readonly kind: 'one'; readonly ranges: readonly CharacterRange[] }
  | { readonly kind: 'row'; readonly parts: readonly SimplePattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly SimplePattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: SimplePattern;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'start' | 'end' };

/** A range of code points, both ends included. */
export type CharacterRange = readonly [from: number, to: number];

const longestPattern = 500;
const mostRepetitions = 300;
const lastCharacter = 0x10ffff;

export function readSimplePattern(source: string): SimplePattern | undefined {
  if (source.length > longestPattern) return undefined;
  const reader = new Reader([...source]);
  try {
    const pattern = reader.choice();
    return reader.isAtEnd() ? pattern : undefined;
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

export class NotSimple extends Error {
  override readonly name = 'NotSimple';
}

class Reader {
  readonly #source: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: readonly string[]) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  choice(): SimplePattern {
    this.#depth += 1;
    if (this.#depth > 20) throw new NotSimple('It is nested too deeply.');
    const parts = [this.#row()];
    while (this.#take('|')) parts.push(this.#row());
    this.#depth -= 1;
    return parts.length === 1 ? (parts[0] as SimplePattern) : { kind: 'choice', parts };
  }

  #row(): SimplePattern {
    const parts: SimplePattern[] = [];
    while (!this.isAtEnd() && this.#next() !== '|' && this.#next() !== ')') {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'row', parts };
  }

  #atom(): SimplePattern {
    const character = this.#read();
    switch (character) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return one(
          inverted([
            [0x0a, 0x0a],
            [0x0d, 0x0d],
            [0x2028, 0x2029],
          ]),
        );
      case '(':
        return this.#group();
      case '[':
        return one(this.#class());
      case '\\':
        return one(this.#escaped(false));
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        throw new NotSimple('A repetition of nothing.');
      default:
        return one([rangeOf(character)]);
    }
  }

  #group(): SimplePattern {
    if (this.#take('?') && !this.#take(':')) throw new NotSimple('A group of another kind.');
    const inner = this.choice();
    if (!this.#take(')')) throw new NotSimple('A group without an end.');
    return inner;
  }

  #repeated(part: SimplePattern): SimplePattern {
    const counts = this.#counts();
    if (counts === undefined) return part;
    if (part.kind === 'start' || part.kind === 'end') throw new NotSimple('A repeated border.');
    this.#take('?');
    const [least, most] = counts;
    if (least > most || least > mostRepetitions) throw new NotSimple('Too many repetitions.');
    return { kind: 'repeat', part, least, most };
  }

  #counts(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (this.#next() !== '{') return undefined;
    const rest = this.#source.slice(this.#at, this.#at + 12).join('');
    const found = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(rest);
    if (found === null) throw new NotSimple('A brace that counts nothing.');
    this.#at += found[0].length;
    const least = Number(found[1]);
    if (found[2] === undefined) return [least, least];
    return [least, found[3] ? Number(found[3]) : Number.POSITIVE_INFINITY];
  }

  #class(): readonly CharacterRange[] {
    const isInverted = this.#take('^');
    const ranges: CharacterRange[] = [];
    while (!this.#take(']')) {
      const from = this.#ofClass();
      const first = from[0];
      const isRange = this.#next() === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange) {
        ranges.push(...from);
        continue;
      }
      this.#at += 1;
      const last = this.#ofClass()[0];
      if (first === undefined || last === undefined || first[0] !== first[1] || last[0] < first[0])
        throw new NotSimple('A range of another kind.');
      ranges.push([first[0], last[1]]);
    }
    const all = isInverted ? inverted(ranges) : ranges;
    if (all.length === 0) throw new NotSimple('A class of nothing.');
    return all;
  }

  #ofClass(): readonly CharacterRange[] {
    const character = this.#read();
    if (character === '[') throw new NotSimple('A class in a class.');
    return character === '\\' ? this.#escaped(true) : [rangeOf(character)];
  }

  #escaped(isInClass: boolean): readonly CharacterRange[] {
    const character = this.#read();
    const kind = kinds[character.toLowerCase()];
    if (kind !== undefined) return character === character.toLowerCase() ? kind : inverted(kind);
    const control = controls[character];
    if (control !== undefined) return [[control, control]];
    if (/^[^A-Za-z0-9]$/.test(character)) return [rangeOf(character)];
    throw new NotSimple(isInClass ? 'An escape in a class.' : 'An escape of another kind.');
  }

  #next(): string | undefined {
    return this.#source[this.#at];
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }

  #read(): string {
    const character = this.#next();
    if (character === undefined) throw new NotSimple('It ends too soon.');
    this.#at += 1;
    return character;
  }
}

function one(ranges: readonly CharacterRange[]): SimplePattern {
  return { kind: 'one', ranges };
}

function rangeOf(character: string): CharacterRange {
  const number = character.codePointAt(0) as number;
  return [number, number];
}

function inverted(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const free: CharacterRange[] = [];
  let from = 0;
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (first > from) free.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  return from > lastCharacter ? free : [...free, [from, lastCharacter]];
}

const kinds: Readonly<Record<string, readonly CharacterRange[]>> = {
  d: [[0x30, 0x39]],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};

const controls: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b };
