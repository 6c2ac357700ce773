/**
 * Takes what the lanes of this process have to tell about the trials of a run and writes it, many at a time. While the
 * database is away it is tried again, for as long as the lease stands: the work of a trial should not be lost to a
 * restart of the database.
 */
import type { Database } from '../storage/database.ts';
import { type TrialNews, writeTrialNews } from '../storage/record-trials.ts';
import { Together } from '../storage/together.ts';
import { LeaseLost } from './lease-keeper.ts';
import { outlast } from './outlast.ts';

export class TrialWriter {
  readonly #together: Together<TrialNews, boolean>;

  constructor(
    database: Database,
    run: { readonly runId: string; readonly organizationId: string },
  ) {
    this.#together = new Together((news) =>
      database.tenant([run.organizationId], (sql) =>
        writeTrialNews(sql, run.runId, run.organizationId, news),
      ),
    );
  }

  /** Throws a LeaseLost when what was to be written was not taken. */
  async tell(news: TrialNews, signal: AbortSignal): Promise<void> {
    const taken = await outlast(() => this.#together.answer(news), signal);
    if (!taken) throw new LeaseLost('The slice belongs to somebody else.');
  }
}
