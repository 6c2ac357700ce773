/**
 * Takes what the lanes of this process have to tell about the trials of a run and writes it, many at a time. While the
 * database is away it is tried again, for as long as the lease stands: the work of a trial should not be lost to a
 * restart of the database.
 */
import type { Database } from '../storage/database.ts';
import { type TrialNews, writeTrialNews } from '../storage/record-trials.ts';
import { Together } from '../storage/together.ts';
import { LeaseLost } from './lease-keeper.ts';
import { pause } from './pause.ts';

const betweenTriesMs = 200;

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
    for (;;) {
      signal.throwIfAborted();
      let taken: boolean;
      try {
        taken = await this.#together.answer(news);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await pause(betweenTriesMs, signal);
        continue;
      }
      if (!taken) throw new LeaseLost('The slice belongs to somebody else.');
      return;
    }
  }
}

/**
 * Whether the database is merely away: a cut connection, a server that stops or starts, a full disk. What it says
 * about the data itself comes again however often one asks.
 */
export function isPassing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return false;
  return /^(08|53|57P|25006|40)/.test(code) || /^(CONNECT|CONNECTION_|E[A-Z]+$)/.test(code);
}
