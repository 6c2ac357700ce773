/**
 * Answers that are costly to build and change rarely, kept as bytes, and large parts that several of them share. The name
 * of an entry holds everything it depends on, above all the revision of what was read, so no entry ever has to be
 * invalidated. The least recently used entries are dropped first.
 */
export class PreparedJson {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What is said beside the body. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(text: string, headers?: Readonly<Record<string, string>>) {
    this.bytes = new TextEncoder().encode(text);
    this.headers = headers;
  }

  get size(): number {
    return this.bytes.length;
  }
}

interface Entry {
  /** In bytes. */
  readonly size: number;
}

export class AnswerCache {
  readonly #kept = new Map<string, Entry>();
  readonly #roomBytes: number;
  #usedBytes = 0;

  constructor(roomBytes = 32 * 1024 * 1024) {
    this.#roomBytes = roomBytes;
  }

  /** The entry of this name, if it is of this kind. */
  find<Kind extends Entry>(name: string, kind: abstract new (...given: never) => Kind) {
    const entry = this.#kept.get(name);
    if (!(entry instanceof kind)) return undefined;
    // A map remembers the order of setting: the first is the one nobody asked for longest.
    this.#kept.delete(name);
    this.#kept.set(name, entry);
    return entry;
  }

  keep(name: string, entry: Entry): void {
    const before = this.#kept.get(name);
    this.#kept.delete(name);
    this.#kept.set(name, entry);
    this.#usedBytes += size(name, entry) - (before === undefined ? 0 : size(name, before));
    for (const [oldest, old] of this.#kept) {
      if (this.#usedBytes <= this.#roomBytes) break;
      this.#kept.delete(oldest);
      this.#usedBytes -= size(oldest, old);
    }
  }
}

/** A name has two bytes for each character; the rest is what a map entry costs. */
function size(name: string, entry: Entry): number {
  return entry.size + name.length * 2 + 200;
}
