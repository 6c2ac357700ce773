/**
 * A mark stands where a secret stood: as a value `{"$redacted": n}`, and inside a text as the same letters. Equal secrets
 * of one recording have equal numbers.
 */
import { isRecord } from '../kernel/json.ts';

export const markName = '$redacted';
/** In a text; global, for splitting and replacing alone. */
const markInText = /\{"\$redacted":\d{1,9}\}/g;
/** The same where it is a value of JSON, right after its key, whose quotes are escaped as often as they are. */
const markAsValue = /((\\*)"\s{0,8}:\s{0,8})\{"\$redacted":\d{1,9}\}/g;
/** What stands for a mark where somebody reads on. */
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

/** The number of each mark in it, as often as it stands there. */
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

/** The same with words where marks stood. */
export function describeRedactionMarks(value: unknown): unknown {
  if (typeof value === 'string') {
    // JSON stays JSON, so that what stands beside it can be read.
    return value.replaceAll(markAsValue, `$1$2"${markText}$2"`).replaceAll(markInText, markText);
  }
  if (Array.isArray(value)) return value.map(describeRedactionMarks);
  if (!isRecord(value)) return value;
  if (isMark(value)) return markText;
  const keys = toldKeys(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [keys.get(key) ?? key, describeRedactionMarks(one)]),
  );
}

/**
 * How the keys of a record are told. Different secrets are told by one word, so all but the first have a number: none takes
 * the place of another. In the order of the marks, since that of keys is not kept everywhere.
 */
export function toldKeys(value: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const marked = Object.keys(value).filter(hasMark);
  if (marked.length === 0) return noKeys;
  const told = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const key of marked.sort((one, other) => markOrder(one) - markOrder(other))) {
    const name = String(describeRedactionMarks(key));
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    told.set(key, count === 1 ? name : `${name} ${count}`);
  }
  return told;
}

const noKeys: ReadonlyMap<string, string> = new Map();

function markOrder(key: string): number {
  return markNumbers(key)[0] ?? 0;
}

/** The text with all but its marks changed. */
export function mapBetweenMarks(text: string, change: (piece: string) => string): string {
  const marks = text.match(markInText) ?? [];
  const pieces = text.split(markInText).map(change);
  return pieces.map((piece, index) => piece + (marks[index] ?? '')).join('');
}

/** Whether two texts are the same but for marks, on either side. */
export function areTextsEqual(one: string, other: string): boolean {
  return one === other || fits(one, other) || fits(other, one);
}

/** Whether the text is what the marked one could have been: its pieces in order, with anything in between. */
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
