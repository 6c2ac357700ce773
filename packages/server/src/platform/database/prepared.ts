/**
 * Prepared statements, by their text. Each connection prepares a statement once, under a hash of
 * its text, so that PostgreSQL parses and plans it only once.
 */
import { sha256Hex } from '../../kernel/sha256-hex.ts';

export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly types: readonly number[];
}

/** All prepared forms of one statement text, one for each combination of parameter types. */
export class PreparedText {
  readonly text: string;
  readonly #variants = new Map<string, Prepared>();
  #untyped: Prepared | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the prepared form. `types` is undefined if no parameter has an explicit type. */
  of(types: readonly number[] | undefined): Prepared {
    if (types === undefined) {
      this.#untyped ??= { name: nameOf(this.text), text: this.text, types: [] };
      return this.#untyped;
    }
    const key = types.join();
    let found = this.#variants.get(key);
    if (found === undefined) {
      found = { name: nameOf(`${key} ${this.text}`), text: this.text, types };
      this.#variants.set(key, found);
    }
    return found;
  }
}

const known = new Map<string, PreparedText>();

export function preparedText(text: string): PreparedText {
  let found = known.get(text);
  if (found === undefined) {
    found = new PreparedText(text);
    known.set(text, found);
  }
  return found;
}

function nameOf(text: string): string {
  return `proofmark_${sha256Hex(text).slice(0, 24)}`;
}
