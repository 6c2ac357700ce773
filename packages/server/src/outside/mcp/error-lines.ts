/**
 * The lines that a child process writes to its error output. The output is always read, since a
 * child without a reader would block; only the beginning of a long line is kept. A flood is read at
 * a limited rate, so that it takes a limited part of our time; a faster writer waits, as with any
 * reader.
 */
import type { Readable } from 'node:stream';

export class ErrorLines {
  readonly #output: Readable;
  readonly #onLine: (line: string) => void;
  #parts: Uint8Array[] = [];
  #lineBytes = 0;
  #sinceBreak = 0;

  constructor(output: Readable, onLine: (line: string) => void) {
    this.#output = output;
    this.#onLine = onLine;
    output.on('data', (chunk: Buffer) => this.#read(chunk));
    output.once('end', () => this.#endLine());
  }

  #read(chunk: Buffer): void {
    let from = 0;
    let lines = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
      lines += 1;
    }
    this.#add(chunk.subarray(from));
    this.#sinceBreak += chunk.length + lines * costOfLine;
    const breaks = Math.floor(this.#sinceBreak / bytesInOneGo);
    if (breaks === 0) return;
    this.#sinceBreak -= breaks * bytesInOneGo;
    this.#output.pause();
    setTimeout(() => this.#output.resume(), breaks * breakMs).unref();
  }

  #add(bytes: Uint8Array): void {
    const room = longestLineBytes - this.#lineBytes;
    if (room <= 0 || bytes.length === 0) return;
    // A copy, because the chunk it is part of is far larger.
    const kept = Uint8Array.from(bytes.subarray(0, room));
    this.#parts.push(kept);
    this.#lineBytes += kept.length;
  }

  #endLine(): void {
    if (this.#lineBytes === 0) return;
    const line = Buffer.concat(this.#parts).toString('utf8').trimEnd();
    this.#parts = [];
    this.#lineBytes = 0;
    if (line !== '') this.#onLine(line);
  }
}

const newline = 0x0a;
/**
 * Longer than the part of a line that is kept, so that a secret that begins in that part is found.
 */
const longestLineBytes = 64 * 1024;
const bytesInOneGo = 1024 * 1024;
/** The cost of reading a line, in bytes. */
const costOfLine = 64;
const breakMs = 50;
