import type { Divergence } from '@proofmark/domain';

/** Thrown if a replayed trial diverges from its recording and must stop. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
  readonly divergence: Divergence;

  constructor(divergence: Divergence) {
    super(divergence.message);
    this.divergence = divergence;
  }
}
