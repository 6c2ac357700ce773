/**
 * Where two values first differ: the place as a JSON pointer, and what stands there on either side. A mark is equal to
 * anything at its place. Keys are looked at in one order, whatever theirs is.
 */
import { isRecord } from '../kernel/json.ts';
import { areTextsEqual, isMark, mapBetweenMarks } from './marks.ts';
import { type IgnoreRules, nothingIgnored, pointerOf } from './replay-ignore.ts';

export interface ValueDifference {
  readonly path: string;
  /** undefined: nothing stands there. */
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

function differenceAt(
  before: unknown,
  after: unknown,
  rules: IgnoreRules,
  path: readonly string[],
): ValueDifference | undefined {
  if (before === after || rules.ignores(path)) return undefined;
  // Anything may have stood there, but not nothing.
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
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    for (const key of keys) {
      const found = differenceAt(own(before, key), own(after, key), rules, [...path, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isSame(before, after, rules) ? undefined : { path: pointerOf(path), before, after };
}

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
