/**
 * The lines that a child process writes to its error output. The output is read to its end, for a child that nobody
 * reads stands still; of a long line only the beginning is kept. A flood is read at a bounded pace, so that it costs us
 * a bounded part of our time; whoever writes faster waits, as with any reader.
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
    // A copy: the chunk it is a part of is far larger.
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
/** Enough to find a secret in that begins within what is kept of a line in the end. */
const longestLineBytes = 64 * 1024;
const bytesInOneGo = 1024 * 1024;
/** A line takes as long to read as so many bytes. */
const costOfLine = 64;
const breakMs = 50;
