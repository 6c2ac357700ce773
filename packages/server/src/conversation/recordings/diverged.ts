import type { Divergence } from '@proofmark/domain';

/** A replayed trial diverged from the recorded one and must stop. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
  readonly divergence: Divergence;

  constructor(divergence: Divergence) {
    super(divergence.message);
    this.divergence = divergence;
  }
}
