/**
 * Limits password hashing, which is expensive by design: only 3 hashes run at a time. If too many
 * callers wait, further callers get "crowded". A client address with 4 running or waiting hashes
 * also gets "crowded", so that other addresses get their turn.
 */
import { Semaphore, TooManyWaiting } from '@proofmark/domain';

const atOnce = 3;
const mostWaiting = 20;
const placesEach = 4;

export class HashQueue {
  readonly #hashing = new Semaphore(atOnce);
  readonly #places = new Semaphore(placesEach);

  /**
   * `from` is the client's address. It is undefined for an address that many people share; the
   * limit per address then does not apply.
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
