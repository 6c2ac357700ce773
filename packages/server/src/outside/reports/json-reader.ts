// Reads a JSON text and builds only the parts that the caller requests. JSON.parse would build the
// whole document first. A hostile file of a few megabytes could exhaust the memory of the process
// in this way, even in a worker thread.
import { ReportProblem, reportLimits } from './report.ts';

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]}]|$)/y;
const space = /[ \t\r\n]*/y;

export class JsonReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Calls, for each member of an object, the reader that is registered under its name. Members
   * without a reader are skipped.
   */
  object(readers: Readonly<Record<string, () => void>>): void {
    if (this.#next() !== '{') {
      this.skip();
      return;
    }
    this.#list('}', () => {
      const name = this.#string();
      if (this.#next() !== ':') this.#fail();
      this.#at += 1;
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
      if (read) read();
      else this.skip();
    });
  }

  /** Calls `read` once for each element; `read` must read or skip exactly that element. */
  array(read: () => void): void {
    if (this.#next() === '[') this.#list(']', read);
    else this.skip();
  }

  string(): string | undefined {
    if (this.#next() === '"') return this.#string();
    this.skip();
    return undefined;
  }

  number(): number | undefined {
    const start = this.#next();
    const from = this.#at;
    this.skip();
    if (start !== '-' && !(start >= '0' && start <= '9')) return undefined;
    return Number(this.#text.slice(from, this.#at));
  }

  skip(): void {
    const start = this.#next();
    if (start === '{') this.object({});
    else if (start === '[') this.#list(']', () => this.skip());
    else if (start === '"') this.#at = this.#endOfString();
    else {
      scalar.lastIndex = this.#at;
      if (!scalar.test(this.#text)) this.#fail();
      this.#at = scalar.lastIndex;
    }
  }

  peek(): string {
    return this.#next();
  }

  end(): void {
    if (this.#next() !== '') this.#fail();
  }

  #list(close: string, read: () => void): void {
    this.#depth += 1;
    if (this.#depth > reportLimits.depth) {
      throw new ReportProblem(`Values are nested more than ${reportLimits.depth} deep.`);
    }
    this.#at += 1;
    for (let first = true; this.#next() !== close || !first; first = false) {
      read();
      const after = this.#next();
      if (after === close) break;
      if (after !== ',') this.#fail();
      this.#at += 1;
    }
    this.#at += 1;
    this.#depth -= 1;
  }

  #next(): string {
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
    return this.#text.charAt(this.#at);
  }

  #string(): string {
    if (this.#next() !== '"') this.#fail();
    const from = this.#at;
    this.#at = this.#endOfString();
    const quoted = this.#text.slice(from, this.#at);
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return this.#fail();
    }
  }

  #endOfString(): number {
    let quote = this.#at;
    for (;;) {
      quote = this.#text.indexOf('"', quote + 1);
      if (quote === -1) this.#fail();
      let backslashes = 0;
      while (this.#text.charAt(quote - 1 - backslashes) === '\\') backslashes += 1;
      if (backslashes % 2 === 0) return quote + 1;
    }
  }

  #fail(): never {
    const found = this.#text.charAt(this.#at);
    const what = found === '' ? 'it ends too early' : `unexpected ${JSON.stringify(found)}`;
    throw new ReportProblem(`The file is not valid JSON: ${what} at character ${this.#at + 1}.`);
  }
}
