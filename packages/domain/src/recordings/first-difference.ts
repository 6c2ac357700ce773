/**
 * Returns the first difference between two values: its position as a JSON pointer, and the value on
 * either side. A redaction mark equals any value, and a key with a mark equals any key that it may
 * have been. Keys are compared in sorted order.
 */
import { isRecord } from '../kernel/json.ts';
import { areTextsEqual, isMark, mapBetweenMarks, shownKeys } from './redaction-marks.ts';
import { type IgnoreRules, nothingIgnored, pointerOf } from './replay-ignore.ts';

export interface ValueDifference {
  readonly path: string;
  /** Undefined if there is no value at `path`. */
  readonly before: unknown;
  readonly after: unknown;
}

export function firstDifference(
  before: unknown,
  after: unknown,
  rules: IgnoreRules = nothingIgnored,
): ValueDifference | undefined {
  return differenceAt(before, after, rules, []);
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one recursion over both values; a function for each kind of value would take twice the stack for each level of nesting.
function differenceAt(
  before: unknown,
  after: unknown,
  rules: IgnoreRules,
  path: readonly string[],
): ValueDifference | undefined {
  if (before === after || rules.ignores(path)) return undefined;
  // A mark replaces some value, so it does not equal a missing value.
  const isBoth = before !== undefined && after !== undefined;
  if (isBoth && (isMark(before) || isMark(after))) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let index = 0; index < length; index += 1) {
      const found = differenceAt(before[index], after[index], rules, [...path, String(index)]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(before) && isRecord(after)) {
    const sameKeys = keysByMarks(before, after);
    const others = new Set(sameKeys.values());
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    for (const key of keys) {
      const isOther = others.has(key);
      if (isOther && !Object.hasOwn(before, key)) continue;
      const there =
        isOther && !sameKeys.has(key) ? undefined : own(after, sameKeys.get(key) ?? key);
      const found = differenceAt(own(before, key), there, rules, [...path, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isSame(before, after, rules) ? undefined : { path: pointerOf(path), before, after };
}

/**
 * Pairs keys of `before` and `after` that may be the same key, if one of them contains a redaction
 * mark. Keys with equal `[redacted]` texts are paired before all others. Numbers of marks are not
 * compared, since they are valid only within one recording.
 */
function keysByMarks(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const [keysBefore, keysAfter] = [shownKeys(before), shownKeys(after)];
  if (keysBefore.size === 0 && keysAfter.size === 0) return none;
  const pairs = new Map<string, string>();
  const left = new Set(
    Object.keys(after).filter((key) => keysAfter.has(key) || !Object.hasOwn(before, key)),
  );
  const gone = Object.keys(before).filter(
    (key) => keysBefore.has(key) || !Object.hasOwn(after, key),
  );
  const pairWhere = (fits: (key: string, other: string) => boolean) => {
    for (const key of gone.filter((one) => !pairs.has(one))) {
      const other = [...left].find((one) => fits(key, one));
      if (other === undefined) continue;
      pairs.set(key, other);
      left.delete(other);
    }
  };
  pairWhere((key, other) => (keysBefore.get(key) ?? key) === (keysAfter.get(other) ?? other));
  pairWhere((key, other) => areTextsEqual(key, other));
  return pairs;
}

const none: ReadonlyMap<string, string> = new Map();

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function isSame(before: unknown, after: unknown, rules: IgnoreRules): boolean {
  if (typeof before === 'string' && typeof after === 'string') {
    const plain = (text: string) => mapBetweenMarks(text, rules.plain);
    return areTextsEqual(before, after) || areTextsEqual(plain(before), plain(after));
  }
  return rules.numbers && typeof before === 'number' && typeof after === 'number';
}
