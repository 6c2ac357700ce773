/**
 * What a trace keeps of a message. All messages of a trial together take at most 4 MiB: a message that does not fit
 * any more keeps its shape, and its long texts are cut with a mark that says how much is missing. Where even that is
 * too much, only the mark stays. The model has seen all of it.
 */
export class TraceBudget {
  #left: number;

  constructor(bytes = maxTraceBytes) {
    this.#left = bytes;
  }

  /** The value itself where it fits. */
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

/** About as many bytes as its JSON has, counted no further than the limit. */
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

/** Keeps the shape, and of long texts and lists their beginning. */
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

/** With which every mark of a cut ends. */
export const boundMark = 'the record of a trial is bounded]';

const maxTraceBytes = 4 * 1024 * 1024;
const keptLength = 2_000;
const keptItems = 100;
const maxDepth = 32;
