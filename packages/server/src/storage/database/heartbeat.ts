/**
 * Asks PostgreSQL again and again on a connection of its own whether it answers. When no answer comes, connections that
 * have heard nothing in that time are destroyed: whoever waits on one of them fails at once, and is answered on a new
 * connection as soon as one can be opened. A refused connection is no silence; whoever asks then fails by themselves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { clientConfig } from './client-config.ts';
import { DatabaseAway } from './database-away.ts';
import { type Deadlines, defaultDeadlines } from './deadlines.ts';
import { Pool } from './pool.ts';
import { preparedText } from './prepared.ts';
import type { Watched } from './watched.ts';

export class Heartbeat {
  readonly #pool: Pool;
  readonly #deadlines: Deadlines;
  readonly #watched = new Set<Watched>();
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

  /** Until the function it returns is called. */
  watch(watched: Watched): () => void {
    this.#watched.add(watched);
    return () => void this.#watched.delete(watched);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#pool.close();
    await this.#beating;
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const drops = [...this.#watched].map((watched) => watched.listen());
      this.#isSilent = !(await this.#beat());
      if (this.#isSilent && !signal.aborted) {
        const reason = new DatabaseAway('CONNECTION_SILENT', 'PostgreSQL is silent.');
        for (const drop of drops) drop(reason);
      } else {
        await pause(this.#deadlines.beatEveryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Says whether there was a sign of life, a refusal included. */
  async #beat(): Promise<boolean> {
    try {
      const connection = await this.#pool.take();
      try {
        await connection.ask({ statement, deadlineMs: this.#deadlines.beatMs });
      } finally {
        this.#pool.give(connection);
      }
      return true;
    } catch (error) {
      const { code } = error as { code?: unknown };
      return code !== 'CONNECTION_SILENT' && code !== 'CONNECT_TIMEOUT';
    }
  }
}

const statement = { prepared: preparedText('select 1').of(undefined), values: [] };
