/**
 * Ids that are the same at every export. A trace is known by what it is of, a span by that and its own id; a span id
 * that a reporter used twice, or that is the name of the root, is told apart by how often it came before.
 */
import { canonicalJson } from '@proofmark/domain';

export type Sha256Hex = (text: string) => string;

export const rootSpanId = 'root';

export function traceIdOf(source: string, id: string, sha256Hex: Sha256Hex): string {
  return sha256Hex(canonicalJson([source, id])).slice(0, 32);
}

export class SpanIds {
  readonly #id: string;
  readonly #sha256Hex: Sha256Hex;
  readonly #times = new Map<string, number>();

  constructor(id: string, sha256Hex: Sha256Hex) {
    this.#id = id;
    this.#sha256Hex = sha256Hex;
  }

  next(spanId: string): string {
    const times = this.#times.get(spanId) ?? 0;
    this.#times.set(spanId, times + 1);
    const named = times === 0 ? [this.#id, spanId] : [this.#id, spanId, times];
    return this.#sha256Hex(canonicalJson(named)).slice(0, 16);
  }
}
