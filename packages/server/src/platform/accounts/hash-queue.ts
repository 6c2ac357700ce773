/**
 * Limits password hashing, which is expensive by design: only 3 hashes run at a time. If too many
 * callers wait, further ones get "crowded". An address that already uses 4 places gets "crowded"
 * too, so that places are left for other addresses.
 */
import { Semaphore, TooManyWaiting } from '@proofmark/domain';

const atOnce = 3;
const mostWaiting = 20;
const placesEach = 4;

export class HashQueue {
  readonly #hashing = new Semaphore(atOnce);
  readonly #places = new Semaphore(placesEach);

  /**
   * Runs the work. `from` is undefined if many people share the address, which is then not limited.
   */
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
