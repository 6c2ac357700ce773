/**
 * Hashing is hard work by design, so only a few hash at a time here. A crowd is asked to come back, and so is whoever
 * takes up places for many at once: others find one.
 */
import { Semaphore, TooManyWaiting } from '@proofmark/domain';

const atOnce = 3;
const mostWaiting = 20;
const placesEach = 4;

export class HashQueue {
  readonly #hashing = new Semaphore(atOnce);
  readonly #places = new Semaphore(placesEach);

  /** `from` is left out where many people may come from there. */
  async run<Result>(
    from: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result | 'crowded'> {
    const hash = () => this.#hashing.run('password', work, { mostWaiting });
    try {
      return await (from === undefined ? hash() : this.#places.run(from, hash, { mostWaiting: 0 }));
    } catch (error) {
      if (error instanceof TooManyWaiting) return 'crowded';
      throw error;
    }
  }
}
