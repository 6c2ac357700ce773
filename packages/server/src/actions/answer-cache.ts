/**
 * Answers that are costly to build and change rarely, kept as bytes. The name of an entry holds everything the answer
 * depends on, above all the revision of what was read, so no entry ever has to be invalidated. The least recently used
 * entries are dropped first.
 */
export class PreparedJson {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(value: unknown) {
    this.bytes = new TextEncoder().encode(JSON.stringify(value));
  }
}

export class AnswerCache {
  readonly #kept = new Map<string, PreparedJson>();
  readonly #roomBytes: number;
  #usedBytes = 0;

  constructor(roomBytes = 32 * 1024 * 1024) {
    this.#roomBytes = roomBytes;
  }

  find(name: string): PreparedJson | undefined {
    const reading = this.#kept.get(name);
    if (reading === undefined) return undefined;
    // A map remembers the order of setting: the first is the one nobody asked for longest.
    this.#kept.delete(name);
    this.#kept.set(name, reading);
    return reading;
  }

  keep(name: string, reading: PreparedJson): void {
    const before = this.#kept.get(name);
    this.#kept.delete(name);
    this.#kept.set(name, reading);
    this.#usedBytes += size(name, reading) - (before === undefined ? 0 : size(name, before));
    for (const [oldest, old] of this.#kept) {
      if (this.#usedBytes <= this.#roomBytes) break;
      this.#kept.delete(oldest);
      this.#usedBytes -= size(oldest, old);
    }
  }
}

/** A name has two bytes for each character; the rest is what a map entry costs. */
function size(name: string, { bytes }: PreparedJson): number {
  return bytes.length + name.length * 2 + 200;
}
