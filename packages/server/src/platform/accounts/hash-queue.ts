/**
 * Limits password hashing. It is expensive by design, so only 3 hashes run at a time. A long queue
 * is answered "crowded", and so is an address that takes many places at once, so that other
 * addresses find one.
 */
import { Semaphore, TooManyWaiting } from '@proofmark/domain';

const atOnce = 3;
const mostWaiting = 20;
const placesEach = 4;

export class HashQueue {
  readonly #hashing = new Semaphore(atOnce);
  readonly #places = new Semaphore(placesEach);

  /** `from` is undefined if many people share the address. */
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
