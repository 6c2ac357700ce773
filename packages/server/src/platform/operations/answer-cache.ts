import { LRUCache } from 'lru-cache';

/**
 * Cached answers that are costly to build and change rarely, as bytes, and large parts that several
 * of them share. The name of an entry contains everything it depends on, above all the revision of
 * the data, so no entry is ever invalidated. The least recently used entries are dropped first.
 */
export class PreparedJson {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Additional headers of the answer. */
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
  readonly #kept: LRUCache<string, Entry>;

  /** An entry larger than all of `maxBytes` is not kept, and drops no other. */
  constructor(maxBytes = 32 * 1024 * 1024) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (entry, name) => size(name, entry),
    });
  }

  /** Returns the entry of this name, if it is of this kind. */
  find<Kind extends Entry>(name: string, kind: abstract new (...given: never) => Kind) {
    const entry = this.#kept.get(name);
    return entry instanceof kind ? entry : undefined;
  }

  keep(name: string, entry: Entry): void {
    this.#kept.set(name, entry);
  }
}

/** Returns the bytes of an entry: 2 for each character of its name, and 200 for the map entry. */
function size(name: string, entry: Entry): number {
  return entry.size + name.length * 2 + 200;
}
