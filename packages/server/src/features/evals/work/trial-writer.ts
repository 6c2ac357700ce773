/**
 * Takes what the slices in this process have to tell about the trials of a run and writes it, many at a time. While the
 * database is away it is tried again, for as long as the lease stands: the work of a trial should not be lost to a
 * restart of the database. What is refused for its content is written once more, alone: nothing that one trial brings
 * with it may cost the others that travelled in the same statement.
 */

import { Batcher } from '../../../platform/database/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import { type TrialUpdate, writeTrialUpdates } from '../store/record-trials.ts';
import type { RunLocation } from '../store/run-location.ts';

export class TrialWriter {
  readonly #write: (updates: readonly TrialUpdate[]) => Promise<readonly boolean[]>;
  readonly #together: Batcher<TrialUpdate, boolean>;

  constructor(database: Database, run: RunLocation) {
    this.#write = (updates) =>
      database.tenant([run.organizationId], (sql) => writeTrialUpdates(sql, run, updates));
    this.#together = new Batcher(this.#write);
  }

  /** Throws a LeaseLost when what was to be written was not taken. */
  async tell(update: TrialUpdate, signal: AbortSignal): Promise<void> {
    const taken = await retryWhileDatabaseIsAway(() => this.#tryTogether(update), signal);
    if (!taken) throw new LeaseLost('The slice belongs to somebody else.');
  }

  async #tryTogether(update: TrialUpdate): Promise<boolean> {
    try {
      return await this.#together.answer(update);
    } catch (error) {
      if (isPassing(error)) throw error;
      const [taken] = await this.#write([update]);
      return taken === true;
    }
  }
}
