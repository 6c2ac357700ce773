import { LRUCache } from 'lru-cache';

/**
 * Caches, as bytes, answers that are costly to build and change rarely, and large parts that
 * several answers share. The name of an entry contains all its inputs, above all the revision of
 * the data, so no entry must ever be invalidated. The least recently used entries are dropped
 * first.
 */
export class PreparedJson {
  readonly bytes: Uint8Array<ArrayBuffer>;
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
  readonly size: number;
}

export class AnswerCache {
  readonly #kept: LRUCache<string, Entry>;

  /** An entry that alone exceeds `maxBytes` is not stored, and no other entry is dropped for it. */
  constructor(maxBytes = 32 * 1024 * 1024) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (entry, name) => size(name, entry),
    });
  }

  find<Kind extends Entry>(name: string, kind: abstract new (...given: never) => Kind) {
    const entry = this.#kept.get(name);
    return entry instanceof kind ? entry : undefined;
  }

  keep(name: string, entry: Entry): void {
    this.#kept.set(name, entry);
  }
}

/**
 * In bytes: the entry itself, 2 for each character of its name, and 200 for its place in the cache.
 */
function size(name: string, entry: Entry): number {
  return entry.size + name.length * 2 + 200;
}
