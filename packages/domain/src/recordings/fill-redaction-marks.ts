/**
 * Replaces redaction marks written as text: `[redacted]` alone, inside a text, or as a JSON value
 * in a text.
 */
import { deepEqual } from '../assertions/argument-matching.ts';
import { isRecord } from '../kernel/json.ts';
import { markText } from './redaction-marks.ts';

export function holdsMarkText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(markText);
  if (Array.isArray(value)) return value.some(holdsMarkText);
  return isRecord(value) && Object.entries(value).flat().some(holdsMarkText);
}

export function fillRedactionMarks(value: unknown, other: () => unknown): unknown {
  if (value === markText) return other();
  if (typeof value === 'string') {
    return value
      .replaceAll(`"${markText}"`, () => JSON.stringify(other()))
      .replaceAll(markText, () => asText(other()));
  }
  const ofKey = (key: string) =>
    holdsMarkText(key) ? asText(fillRedactionMarks(key, other)) : key;
  return mapInner(value, (one) => fillRedactionMarks(one, other), ofKey);
}

/**
 * Replaces each part that contains a mark, if the part may originally have been one of the wanted
 * values.
 */
export function fillMarksBy(value: unknown, wanted: readonly unknown[]): unknown {
  if (value === markText || !holdsMarkText(value)) return value;
  const found = wanted.find((one) => mayBe(value, one));
  if (found !== undefined) return asWanted(value, found);
  if (typeof value !== 'string') return mapInner(value, (one) => fillMarksBy(one, wanted));
  const read = readJson(value);
  return read === undefined ? value : JSON.stringify(fillMarksBy(read, wanted));
}

/** Sets `sizeBytes` of redacted content to the maximum, since the original may have been large. */
export function expandRedacted(value: unknown): unknown {
  const grown = mapInner(value, expandRedacted);
  if (!isRecord(grown) || typeof grown['sizeBytes'] !== 'number' || !holdsMarkText(grown)) {
    return grown;
  }
  return { ...grown, sizeBytes: Number.MAX_SAFE_INTEGER };
}

export function partsOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => [one, ...partsOf(one)]);
}

export function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(keysOf);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

export function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}

function mayBe(value: unknown, wanted: unknown): boolean {
  if (value === markText) return true;
  if (typeof value === 'string') return typeof wanted === 'string' && mayBeText(value, wanted);
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return value.length === wanted.length && value.every((one, index) => mayBe(one, wanted[index]));
  }
  if (!isRecord(value) || !isRecord(wanted)) return deepEqual(value, wanted);
  const keys = Object.keys(wanted);
  return keys.length > 0 && keysThatMayBe(value, wanted).size === keys.length;
}

/**
 * Maps each wanted key to a key of `value`: an equal key, or a key with a redaction mark that may
 * originally have been the wanted key.
 */
function keysThatMayBe(
  value: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const marked = new Set(Object.keys(value).filter((key) => key.includes(markText)));
  for (const [key, one] of Object.entries(wanted)) {
    const named = Object.hasOwn(value, key)
      ? key
      : [...marked].find((name) => mayBeText(unnumbered(name), key) && mayBe(value[name], one));
    if (named === undefined || !mayBe(value[named], one)) continue;
    found.set(key, named);
    marked.delete(named);
  }
  return found;
}

/** Removes the number that distinguishes keys with the same `[redacted]` text. */
function unnumbered(key: string): string {
  return key.replace(/ \d+$/, '');
}

function mayBeText(value: string, wanted: string): boolean {
  const [first = '', ...others] = value.split(markText);
  if (others.length === 0) return value === wanted;
  if (!wanted.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = wanted.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return wanted.endsWith(others.at(-1) ?? '');
}

/**
 * Returns the wanted value. If both values are objects, keys of `value` that were not matched stay.
 */
function asWanted(value: unknown, wanted: unknown): unknown {
  if (!isRecord(value) || !isRecord(wanted)) return wanted;
  const replaced = new Set(keysThatMayBe(value, wanted).values());
  const others = Object.entries(value).filter(([key]) => !replaced.has(key));
  return { ...Object.fromEntries(others), ...wanted };
}

/**
 * Changes the values of an array or object, and its keys with `ofKey`. Adjusts `sizeBytes` to the
 * changed text.
 */
function mapInner(
  value: unknown,
  change: (one: unknown) => unknown,
  ofKey = (key: string) => key,
): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [ofKey(key), change(one)] as const);
  const { sizeBytes, ...changed } = Object.fromEntries(entries);
  if (typeof sizeBytes !== 'number') return Object.fromEntries(entries);
  const { sizeBytes: _, ...before } = value;
  const more = JSON.stringify(changed).length - JSON.stringify(before).length;
  return { ...changed, sizeBytes: Math.max(0, sizeBytes + more) };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readJson(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}
