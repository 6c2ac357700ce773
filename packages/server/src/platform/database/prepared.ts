/**
 * Statements by their text. Each is prepared once per connection, under a hash of its text, so
 * PostgreSQL parses and plans it once.
 */
import { sha256Hex } from '../../kernel/sha256-hex.ts';

export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly types: readonly number[];
}

/** The variants of one text, by the stated types of its parameters. */
export class PreparedText {
  readonly text: string;
  readonly #variants = new Map<string, Prepared>();
  #untyped: Prepared | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Types are undefined if no parameter has a stated one. */
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
