/**
 * Redaction marks, which replace secrets: the object `{"$redacted": n}` in place of a value, and
 * the same characters inside a text. Equal secrets of one recording have equal numbers.
 */
import { isRecord } from '../kernel/json.ts';

export const markName = '$redacted';
/**
 * A mark inside a text. A global pattern keeps its position between calls, so use this one only for
 * splitting and replacing.
 */
const markInText = /\{"\$redacted":\d{1,9}\}/g;
/**
 * A mark inside JSON text as a value directly after its key, with quotes at any level of escaping.
 */
const markAsValue = /((\\*)"\s{0,8}:\s{0,8})\{"\$redacted":\d{1,9}\}/g;
export const markText = '[redacted]';

export function markOf(n: number): { readonly $redacted: number } {
  return { [markName]: n };
}

export function isMark(value: unknown): boolean {
  return isRecord(value) && typeof value[markName] === 'number' && Object.keys(value).length === 1;
}

export function hasMark(value: unknown): boolean {
  if (typeof value === 'string') return value.search(markInText) >= 0;
  if (Array.isArray(value)) return value.some(hasMark);
  return isRecord(value) && (isMark(value) || Object.entries(value).some(markedEntry));
}

export function markNumbers(value: unknown): number[] {
  if (typeof value === 'string') {
    return (value.match(markInText) ?? []).map((mark) => Number(mark.replaceAll(/\D/g, '')));
  }
  if (Array.isArray(value)) return value.flatMap(markNumbers);
  if (!isRecord(value)) return [];
  if (isMark(value)) return [value[markName] as number];
  return Object.entries(value).flatMap(([key, one]) => [...markNumbers(key), ...markNumbers(one)]);
}

function markedEntry([key, value]: [string, unknown]): boolean {
  return hasMark(key) || hasMark(value);
}

export function describeRedactionMarks(value: unknown): unknown {
  if (typeof value === 'string') {
    // JSON inside a text stays valid JSON, so that the values next to a mark can still be read.
    return value.replaceAll(markAsValue, `$1$2"${markText}$2"`).replaceAll(markInText, markText);
  }
  if (Array.isArray(value)) return value.map(describeRedactionMarks);
  if (!isRecord(value)) return value;
  if (isMark(value)) return markText;
  const keys = shownKeys(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [keys.get(key) ?? key, describeRedactionMarks(one)]),
  );
}

/**
 * Returns the readable form of each key with a mark, which contains `[redacted]`. Different secrets
 * look the same in that form, so repeated keys get a number. Numbers follow the order of the marks,
 * since the order of keys may be lost.
 */
export function shownKeys(value: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const marked = Object.keys(value).filter(hasMark);
  if (marked.length === 0) return noKeys;
  const shown = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const key of marked.sort((one, other) => markOrder(one) - markOrder(other))) {
    const name = String(describeRedactionMarks(key));
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    shown.set(key, count === 1 ? name : `${name} ${count}`);
  }
  return shown;
}

const noKeys: ReadonlyMap<string, string> = new Map();

function markOrder(key: string): number {
  return markNumbers(key)[0] ?? 0;
}

export function mapBetweenMarks(text: string, change: (piece: string) => string): string {
  const marks = text.match(markInText) ?? [];
  const pieces = text.split(markInText).map(change);
  return pieces.map((piece, index) => piece + (marks[index] ?? '')).join('');
}

/** Whether two texts may be equal, since a mark in either may replace any text. */
export function areTextsEqual(one: string, other: string): boolean {
  return one === other || fits(one, other) || fits(other, one);
}

/**
 * Whether the text may be the original of the marked text: the pieces between the marks occur in
 * the same order.
 */
function fits(marked: string, text: string): boolean {
  const [first = '', ...others] = marked.split(markInText);
  const last = others.pop();
  if (last === undefined) return marked === text;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return at <= end;
}
