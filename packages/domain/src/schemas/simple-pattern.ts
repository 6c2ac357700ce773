import {
  type CharacterRange,
  NotSimple,
  readSimplePattern,
  type SimplePattern,
} from './read-simple-pattern.ts';
import { NotChecked, type PatternReader } from './schema-work.ts';

const longestWritten = 1_000;
const mostWork = 1_000_000;

export const simplePatterns: PatternReader = (source) => {
  const pattern = readSimplePattern(source);
  return pattern && ((text) => matchesSimple(pattern, text));
};

/**
 * Whether the pattern matches anywhere in the text, as JSON Schema defines it. Throws `NotChecked`
 * if the work exceeds its limit.
 */
export function matchesSimple(pattern: SimplePattern, text: string): boolean {
  const characters = [...text].map((one) => one.codePointAt(0) as number);
  const everywhere = new Set(characters.map((_, at) => at)).add(characters.length);
  return endsOf(pattern, { characters, left: mostWork }, everywhere).size > 0;
}

/**
 * Generates a matching text in which every repetition occurs `more` times above its minimum. Limits
 * of the schema, such as `maxLength`, are left to the caller.
 */
export function writeSimple(pattern: SimplePattern, more: number): string | undefined {
  try {
    const text = String.fromCodePoint(...write(pattern, more));
    return matchesSimple(pattern, text) ? text : undefined;
  } catch (error) {
    if (error instanceof NotSimple || error instanceof NotChecked) return undefined;
    throw error;
  }
}

/** `left` is the number of steps that matching may still take. */
interface Matching {
  readonly characters: readonly number[];
  left: number;
}

function endsOf(
  pattern: SimplePattern,
  text: Matching,
  starts: ReadonlySet<number>,
): ReadonlySet<number> {
  text.left -= 1 + starts.size;
  if (text.left < 0) throw new NotChecked('The check of the value would take too long.');
  switch (pattern.kind) {
    case 'start':
      return new Set([...starts].filter((at) => at === 0));
    case 'end':
      return new Set([...starts].filter((at) => at === text.characters.length));
    case 'one':
      return new Set(
        [...starts].flatMap((at) => (isIn(text.characters[at], pattern.ranges) ? [at + 1] : [])),
      );
    case 'row':
      return pattern.parts.reduce((from, part) => endsOf(part, text, from), starts);
    case 'choice':
      return new Set(pattern.parts.flatMap((part) => [...endsOf(part, text, starts)]));
    case 'repeat':
      return endsOfRepeat(pattern, text, starts);
  }
}

function endsOfRepeat(
  { part, least, most }: Extract<SimplePattern, { kind: 'repeat' }>,
  text: Matching,
  starts: ReadonlySet<number>,
): ReadonlySet<number> {
  let open = starts;
  for (let times = 0; times < least && open.size > 0; times += 1) open = endsOf(part, text, open);
  const ends = new Set(open);
  for (let times = least; times < most && open.size > 0; times += 1) {
    open = new Set([...endsOf(part, text, open)].filter((end) => !ends.has(end)));
    for (const end of open) ends.add(end);
  }
  return ends;
}

function isIn(character: number | undefined, ranges: readonly CharacterRange[]): boolean {
  return (
    character !== undefined && ranges.some(([from, to]) => from <= character && character <= to)
  );
}

function write(pattern: SimplePattern, more: number): number[] {
  switch (pattern.kind) {
    case 'start':
    case 'end':
      return [];
    case 'one':
      return [plainest(pattern.ranges)];
    case 'row':
      return bounded(pattern.parts.flatMap((part) => write(part, more)));
    case 'choice':
      return pattern.parts[0] === undefined ? [] : write(pattern.parts[0], more);
    case 'repeat': {
      const { part, least, most } = pattern;
      const times = Math.min(most, least + more);
      const one = write(part, more);
      return bounded(Array.from({ length: Math.min(times, longestWritten + 1) }, () => one).flat());
    }
  }
}

function bounded(written: number[]): number[] {
  if (written.length > longestWritten) throw new NotSimple('It is too long.');
  return written;
}

/** Returns a, 1 or A if the ranges allow it, so that generated texts look natural. */
function plainest(ranges: readonly CharacterRange[]): number {
  const plain = [...'a1A'].map((one) => one.codePointAt(0) as number);
  const found = plain.find((one) => isIn(one, ranges));
  if (found !== undefined) return found;
  const visible = ranges.find(([, to]) => to > 0x20);
  const [from, to] = visible ?? ranges[0] ?? [0x61, 0x61];
  return visible === undefined ? from : Math.min(Math.max(from, 0x21), to);
}
