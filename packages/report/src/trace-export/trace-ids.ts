/**
 * Creates ids that are the same in every export. The id of a trace is derived from the exported
 * trial or session, and the id of a span from the trace id and the recorded span id. If a reporter
 * used a span id twice, the number of earlier uses is hashed too.
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
