/**
 * Counts nesting and values of JSON text before it is parsed. Deep nesting could overflow the stack
 * of later code. A million tiny values fit into few bytes, but block the process while they are
 * created. Unmatched closing brackets do not lower the count.
 */
import { tooDeep, tooLarge } from './explain-mcp-error.ts';

export class JsonDepth {
  readonly #limits: { readonly maxDepth: number; readonly maxPieces: number };
  #depth = 0;
  #depthBeforeLine = 0;
  #pieces = 0;
  #inString = false;
  #escaped = false;

  constructor(limits: { readonly maxDepth: number; readonly maxPieces: number }) {
    this.#limits = limits;
  }

  /**
   * Throws if a limit is exceeded. `isBeside` is true for text outside the JSON, such as a comment
   * in an event stream. Brackets in such text must not close brackets of earlier lines.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scanner that looks at each byte once, with its state from chunk to chunk.
  read(bytes: Uint8Array, from = 0, to = bytes.length, isBeside = false): void {
    const lowest = isBeside ? this.#depthBeforeLine : 0;
    for (let index = from; index < to; index += 1) {
      const byte = bytes[index];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
      } else if (byte === quote) this.#inString = true;
      else if (byte === openBrace || byte === openBracket) {
        this.#depth += 1;
        this.#pieces += 1;
        if (this.#depth > this.#limits.maxDepth) throw tooDeep(this.#limits.maxDepth);
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.#depth > lowest) this.#depth -= 1;
      } else if (byte === colon || byte === comma) this.#pieces += 1;
    }
    if (this.#pieces > this.#limits.maxPieces) throw tooLarge(this.#limits.maxPieces, 'values');
  }

  /** A JSON string cannot contain a line end, so the state of a string is reset here. */
  endLine(): void {
    this.#inString = false;
    this.#escaped = false;
    this.#depthBeforeLine = this.#depth;
  }

  reset(): void {
    this.#depth = 0;
    this.endLine();
    this.#pieces = 0;
  }
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
