/**
 * Limits a trial's messages in the trace to 4 MiB in all. A message beyond the limit keeps its
 * structure; its long texts are cut, with a mark that counts the missing characters. If the message
 * is still too large, only a mark is stored. The model always gets the whole text.
 */
export class TraceBudget {
  #left: number;

  constructor(bytes = maxTraceBytes) {
    this.#left = bytes;
  }

  /** Returns the value itself if it fits, otherwise a shortened copy or only a mark. */
  bound<Value>(value: Value): Value | unknown {
    const size = sizeOf(value, this.#left);
    if (size <= this.#left) {
      this.#left -= size;
      return value;
    }
    const shortened = shorten(value, 0);
    const shorter = sizeOf(shortened, this.#left);
    if (shorter <= this.#left) {
      this.#left -= shorter;
      return shortened;
    }
    return mark('This part was left out');
  }
}

/** Returns the approximate size as JSON, in bytes. Counting stops at the limit. */
export function sizeOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const key in value) {
    if (size > limit) break;
    size += key.length + 4 + sizeOf((value as Record<string, unknown>)[key], limit - size);
  }
  return size;
}

/** Keeps the structure and cuts long texts and lists. */
export function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length <= keptLength
      ? value
      : `${value.slice(0, keptLength)}… ${mark(`${value.length - keptLength} characters were cut`)}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return mark('This part was left out');
  if (Array.isArray(value)) {
    const kept = value.slice(0, keptItems).map((item) => shorten(item, depth + 1));
    if (value.length > keptItems) kept.push(mark(`${value.length - keptItems} items were cut`));
    return kept;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key !== '__proto__')
      copy[key] = shorten((value as Record<string, unknown>)[key], depth + 1);
  }
  return copy;
}

function mark(what: string): string {
  return `[${what}: ${boundMark}`;
}

/** Every mark of cut content ends with this text. */
export const boundMark = 'the record of a trial is limited in size]';

/** The text that ended these marks in version 0.1.0; stored conversations still have it. */
const formerBoundMark = 'the record of a trial is bounded]';

export function hasBoundMark(text: string): boolean {
  return text.includes(boundMark) || text.includes(formerBoundMark);
}

const maxTraceBytes = 4 * 1024 * 1024;
const keptLength = 2_000;
const keptItems = 100;
const maxDepth = 32;
