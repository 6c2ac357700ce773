/**
 * Collects bytes in one buffer, so that a server that sends single bytes causes no more cost than
 * one that sends large chunks.
 */
export class GrowingBytes {
  #buffer = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#buffer.slice(0, this.#length);
    this.#length = 0;
    if (this.#buffer.length > keptBytes) this.#buffer = new Uint8Array(1024);
    return taken;
  }
}

const keptBytes = 64 * 1024;
