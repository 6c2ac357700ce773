/** What one check may cost: schemas and values come from servers, and either may be made to take for ever. */
import { RE2JS } from 're2js';

/** The schema cannot be checked here; the message says why. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

export class SchemaWork {
  readonly #patterns = new Map<string, { readonly compiled: RE2JS; readonly size: number }>();
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  #steps = 0;
  #depth = 0;
  #patternWork = 0;

  constructor(nowMs = () => performance.now()) {
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
    if (this.#depth > maxDepth) throw new NotChecked('The schema refers to itself without end.');
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** In time linear in the text; what has no such engine is not checked. */
  matches(pattern: string, text: string): boolean {
    const known = this.#patterns.get(pattern) ?? this.#compile(pattern);
    this.#spend(known.size * (text.length + 1));
    return known.compiled.test(text);
  }

  #compile(pattern: string): { readonly compiled: RE2JS; readonly size: number } {
    const size = expandedSize(pattern);
    if (size > maxPatternSize)
      throw new NotChecked('The schema holds a pattern that is too large.');
    this.#spend(size * compileCost);
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
      this.#patterns.set(pattern, { compiled, size });
      return { compiled, size };
    } catch {
      throw new NotChecked('The schema holds a pattern that cannot be run in linear time.');
    }
  }

  #spend(work: number): void {
    this.#patternWork += work;
    if (this.#patternWork > maxPatternWork) throw tooLong();
    this.#checkTime();
  }

  /**
   * Everything else in the process waits meanwhile, so a slow machine does not get longer for it. A small check is not
   * timed: it ends in a moment, and a machine that stood still meanwhile must not change what comes of it.
   */
  #checkTime(): void {
    const isSmall = this.#steps <= maxSteps / 10 && this.#patternWork <= maxPatternWork / 10;
    if (!isSmall && this.#nowMs() - this.#startedAtMs > maxTimeMs) throw tooLong();
  }
}

/**
 * How large a pattern is once its counted repetitions are written out: a repeated group repeats all that is in
 * it, so those counts multiply. More than the truth at times, never less.
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
  return new NotChecked('Checking it would take too long.');
}

const maxSteps = 50_000;
const maxTimeMs = 50;
const maxDepth = 400;
const maxPatternSize = 500;
const compileCost = 300;
const maxPatternWork = 600_000;

// The engine builds its tables with the first pattern it is given. That takes a large part of the time above, so it is
// done before any server's schema is charged for it.
RE2JS.compile('^[a-z]+$').test('tables');
