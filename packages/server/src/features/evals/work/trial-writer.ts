/**
 * Collects updates about a run's trials from the slices in this process and writes many at a time.
 * During a database outage, it retries as long as the lease is valid. An update that the database
 * rejects because of its content is retried in a separate statement, so that one trial cannot make
 * others fail.
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

  /** Throws `LeaseLost` if the update was not accepted. */
  async write(update: TrialUpdate, signal: AbortSignal): Promise<void> {
    const taken = await retryWhileDatabaseIsAway(() => this.#tryTogether(update), signal);
    if (!taken) throw new LeaseLost('Another worker took over these trials.');
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
