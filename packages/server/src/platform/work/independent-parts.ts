/**
 * Runs independent parts of work: if one part fails, the others still run, and the failure is
 * thrown at the end.
 */
import type { Database } from '../database/database.ts';

export class IndependentParts {
  readonly #database: Database;
  readonly #failures: unknown[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  async do<Result>(part: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await part();
    } catch (error) {
      await this.fail(error);
      return undefined;
    }
  }

  async fail(error: unknown): Promise<void> {
    this.#failures.push(error);
    await this.throwIfAway();
  }

  /**
   * Throws if the database does not answer, because every further part would then wait for it too.
   */
  async throwIfAway(): Promise<void> {
    await this.#database.sql`select 1`;
  }

  throwFailures(message: string): void {
    if (this.#failures.length === 0) return;
    const [first] = this.#failures;
    const firstMessage = first instanceof Error ? first.message : String(first);
    const others = this.#failures.length - 1;
    const more = others === 0 ? '' : ` And ${others} more.`;
    throw new AggregateError(this.#failures, `${message} ${firstMessage}${more}`);
  }
}
