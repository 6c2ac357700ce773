/**
 * Checks at intervals, on a separate connection, whether PostgreSQL answers. If it does not, the
 * heartbeat asks on a new connection which connections PostgreSQL is working for. All other
 * connections that have received nothing since are destroyed, so that their statements fail at once
 * and can be retried.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { clientConfig } from './client-config.ts';
import { DatabaseAway } from './database-away.ts';
import { type Deadlines, defaultDeadlines } from './deadlines.ts';
import { Pool } from './pool.ts';
import { preparedText } from './prepared.ts';
import type { DropSilent, SilentConnections } from './silent-connections.ts';
import type { Row } from './sql.ts';
import type { WrittenStatement } from './sql-fragments.ts';

export class Heartbeat {
  readonly #pool: Pool;
  readonly #deadlines: Deadlines;
  readonly #watched = new Set<SilentConnections>();
  readonly #stopping = new AbortController();
  readonly #beating: Promise<void>;
  #isSilent = false;

  constructor(url: string, deadlines: Deadlines = defaultDeadlines) {
    const config = clientConfig(url, 'heartbeat');
    this.#deadlines = deadlines;
    this.#pool = new Pool({
      config,
      max: 1,
      deadlines: { ...deadlines, connectMs: deadlines.beatMs },
    });
    this.#beating = this.#beatOn();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  watch(watched: SilentConnections): () => void {
    this.#watched.add(watched);
    return () => void this.#watched.delete(watched);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#pool.close();
    await this.#beating;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one beat, whose steps stand in the order that keeps a working connection from being dropped.
  async #beatOn(): Promise<void> {
    const { signal } = this.#stopping;
    let spared: DropSilent[] = [];
    let late: { readonly drops: readonly DropSilent[]; readonly atWork: ReadonlySet<number> } = {
      drops: [],
      atWork: new Set(),
    };
    while (!signal.aborted) {
      const drops = [...this.#watched].map((watched) => watched.listen());
      const isAnswered = (await this.#ask(beat)) !== 'silent';
      if (!isAnswered) spared.push(...drops);
      // These connections were late at the last beat. Any answer that was on its way to them has
      // arrived by now.
      for (const drop of late.drops) drop(silence(), late.atWork);
      const nowLate = [...this.#watched].flatMap(
        (watched) => watched.listenToLate(this.#deadlines.beatMs) ?? [],
      );
      const isAsked = spared.length + nowLate.length > 0;
      // Asks on a new connection, because perhaps only the heartbeat's first connection is silent.
      const answer = isAsked ? await this.#ask(active) : undefined;
      this.#isSilent = answer === 'silent';
      if (this.#isSilent) for (const watched of this.#watched) watched.failWaiting();
      const atWork = new Set(Array.isArray(answer) ? answer.map(({ pid }) => Number(pid)) : []);
      // Connections that were spared because PostgreSQL was working for them are checked again at
      // each heartbeat, since the end of that work may cause no other event.
      if (isAsked && !signal.aborted) spared = spared.filter((drop) => drop(silence(), atWork) > 0);
      // The asking connection is itself active, so an empty list can only mean that no answer
      // arrived.
      late = { drops: atWork.size > 0 ? nowLate : [], atWork };
      if (!this.#isSilent) {
        await pause(this.#deadlines.beatEveryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Returns the rows of the answer. A refused connection gives no rows instead of "silent", since
   * PostgreSQL did respond.
   */
  async #ask(statement: WrittenStatement): Promise<Row[] | 'silent'> {
    try {
      const connection = await this.#pool.take();
      try {
        return (await connection.ask({ statement, deadlineMs: this.#deadlines.beatMs })).rows;
      } finally {
        this.#pool.give(connection);
      }
    } catch (error) {
      const { code } = error as { code?: unknown };
      return code === 'CONNECTION_SILENT' || code === 'CONNECT_TIMEOUT' ? 'silent' : [];
    }
  }
}

const silence = () => new DatabaseAway('CONNECTION_SILENT', 'PostgreSQL is silent.');

const [beat, active] = [
  'select 1',
  "select pid from pg_stat_activity where datname = current_database() and state = 'active'",
].map((text): WrittenStatement => ({ prepared: preparedText(text).of(undefined), values: [] })) as [
  WrittenStatement,
  WrittenStatement,
];
