import type { Divergence } from '@proofmark/domain';

/** A replayed trial went another way than the recorded one, and is not to go on. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
  readonly divergence: Divergence;

  constructor(divergence: Divergence) {
    super(divergence.message);
    this.divergence = divergence;
  }
}
