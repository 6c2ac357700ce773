/**
 * Starts the browser to find its facts, one at a time, and caches them for a while, so that
 * frequent callers start none.
 */
import type { BrowserFound } from '@proofmark/domain';
import { BrowserLost, type BrowserState } from './widget-renderer.ts';

const foundMs = 5 * 60_000;
/** Short, so that a repair is noticed soon. */
const missingMs = 15_000;

export class RememberedBrowser {
  readonly #look: () => Promise<BrowserFound>;
  readonly #nowMs: () => number;
  #state: { readonly state: Promise<BrowserState>; untilMs: number } | undefined;

  constructor(look: () => Promise<BrowserFound>, nowMs: () => number = () => performance.now()) {
    this.#look = look;
    this.#nowMs = nowMs;
  }

  state(): Promise<BrowserState> {
    const known = this.#state;
    if (known !== undefined && this.#nowMs() < known.untilMs) return known.state;
    const state = this.#look().then(
      (found): BrowserState => ({ found }),
      (error: unknown): BrowserState => {
        if (error instanceof BrowserLost) return { missing: error.message };
        throw error;
      },
    );
    const remembered = { state, untilMs: Number.POSITIVE_INFINITY };
    this.#state = remembered;
    state.then(
      (one) => {
        remembered.untilMs = this.#nowMs() + ('found' in one ? foundMs : missingMs);
      },
      () => {
        this.#state = undefined;
      },
    );
    return state;
  }
}
