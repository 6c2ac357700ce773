/**
 * Reads the lines that a child process writes to its error output. The output is always read,
 * because otherwise the child would block; only the beginning of a long line is stored. A flood is
 * read at a limited rate, so that it takes only part of this process's time; a faster writer waits.
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
    const freeBytes = longestLineBytes - this.#lineBytes;
    if (freeBytes <= 0 || bytes.length === 0) return;
    // Copy the bytes: a subarray would keep the whole chunk in memory, which may be much larger.
    const kept = Uint8Array.from(bytes.subarray(0, freeBytes));
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
 * The maximum number of bytes stored per line. It is more than the part that is shown. A secret at
 * the end of that part is then complete, and redaction recognizes it.
 */
const longestLineBytes = 64 * 1024;
const bytesInOneGo = 1024 * 1024;
/** The processing of one line counts as this many bytes in the rate limit. */
const costOfLine = 64;
const breakMs = 50;
