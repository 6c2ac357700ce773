/**
 * The limits of one check. Schemas and values come from servers, which may design them so that a
 * check never ends.
 */

/**
 * A caller's pattern engine, which must run in time linear in the text. It returns a test for
 * texts, or undefined if it does not support the pattern.
 */
export type PatternReader = (pattern: string) => ((text: string) => boolean) | undefined;

export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

interface KnownPattern {
  readonly test: (text: string) => boolean;
  readonly size: number;
}

export class SchemaWork {
  readonly #patterns = new Map<string, KnownPattern>();
  readonly #read: PatternReader;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  #steps = 0;
  #depth = 0;
  #patternWork = 0;

  constructor(read: PatternReader, nowMs: () => number) {
    this.#read = read;
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > maxSteps) throw tooLong();
    if (this.#steps % 128 === 0) this.#checkTime();
  }

  enter(): void {
    this.step();
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new NotChecked('The schema refers to itself endlessly.');
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Throws `NotChecked` if the engine does not support the pattern. */
  matches(pattern: string, text: string): boolean {
    const known = this.#patterns.get(pattern) ?? this.#compile(pattern);
    this.#spend(known.size * (text.length + 1));
    return known.test(text);
  }

  #compile(pattern: string): KnownPattern {
    const size = expandedSize(pattern);
    if (size > maxPatternSize) throw new NotChecked('A pattern in the schema is too large.');
    this.#spend(size * compileCost);
    const test = this.#read(pattern);
    if (test === undefined)
      throw new NotChecked('A pattern in the schema cannot be run in linear time.');
    this.#patterns.set(pattern, { test, size });
    return { test, size };
  }

  #spend(work: number): void {
    this.#patternWork += work;
    if (this.#patternWork > maxPatternWork) throw tooLong();
    this.#checkTime();
  }

  /**
   * Throws after 50 ms, since a check blocks the whole process. A small check is not timed, because
   * a pause of the machine must not change its result.
   */
  #checkTime(): void {
    const isSmall = this.#steps <= maxSteps / 10 && this.#patternWork <= maxPatternWork / 10;
    if (!isSmall && this.#nowMs() - this.#startedAtMs > maxTimeMs) throw tooLong();
  }
}

/**
 * Returns the size of the pattern with its counted repetitions written out. Nested counts multiply.
 * The result may be too large, but is never too small.
 */
function expandedSize(pattern: string): number {
  let size = pattern.length;
  let factor = 1;
  for (const [, before = '', low = '0', high] of pattern.matchAll(/(.?)\{(\d+)(?:,(\d*))?\}/gs)) {
    const count = Math.max(Number(low), Number(high ?? 0), 1);
    if (before === ')') factor *= count;
    else size += count;
  }
  return size * factor;
}

function tooLong(): NotChecked {
  return new NotChecked('The check of the value would take too long.');
}

const maxSteps = 50_000;
const maxTimeMs = 50;
const maxDepth = 400;
const maxPatternSize = 500;
const compileCost = 300;
const maxPatternWork = 600_000;
