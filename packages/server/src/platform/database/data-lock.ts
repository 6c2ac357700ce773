/**
 * The lock on the data. Every process that works on the data holds this advisory lock in shared
 * mode; the lock ends with its connection. A restore needs the lock exclusively, and announces this
 * with a second lock. All processes check the second lock every second, and then release the data
 * until the restore has ended.
 */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from './client-config.ts';

/** The numbers of two advisory locks. Each database has its own locks. */
export const dataLock = { held: 727_006, wanted: 727_007 } as const;

const lookEveryMs = 1000;
const betweenTriesMs = 200;
const longestAnswerMs = 5000;
const longestGoodbyeMs = 1000;

export interface DataLockOptions {
  readonly url: string;
  /**
   * Called once when a restore waits for the lock on the data, or has already replaced the data.
   */
  asked?(): void;
  /** Called once if the data cannot be locked at once, because a restore is running. */
  waits?(): void;
  readonly signal?: AbortSignal;
}

export class DataLock {
  readonly #options: DataLockOptions;
  readonly #over = new AbortController();
  #client: pg.Client | undefined;
  #epoch: string | null = null;
  #looking: Promise<void> = Promise.resolve();

  private constructor(options: DataLockOptions) {
    this.#options = options;
  }

  static async take(options: DataLockOptions): Promise<DataLock> {
    const hold = new DataLock(options);
    try {
      for (let hasReported = false; !(await hold.#take()); hasReported = true) {
        if (!hasReported) options.waits?.();
        await pause(betweenTriesMs, undefined, { signal: options.signal });
      }
    } catch (error) {
      await hold.release();
      throw error;
    }
    hold.#looking = hold.#lookOn();
    return hold;
  }

  async release(): Promise<void> {
    this.#over.abort();
    await this.#looking;
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await end(client);
  }

  async #take(): Promise<boolean> {
    this.#client ??= await this.#connect();
    const { rows } = await this.#client.query(take);
    return rows[0].taken;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...clientConfig(this.#options.url, 'hold', {}, ` ${process.pid} on ${hostname()}`),
      connectionTimeoutMillis: longestAnswerMs,
      query_timeout: longestAnswerMs,
    });
    const lose = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', lose);
    client.on('end', lose);
    await client.connect();
    return client;
  }

  async #lookOn(): Promise<void> {
    const { signal } = this.#over;
    const { asked } = this.#options;
    let isHeld = true;
    while (!signal.aborted) {
      await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        // A lost connection also loses the lock. If a restore ran since then, the epoch (an id of
        // the data) has changed. If the lock cannot be taken again, a restore holds it.
        if (this.#client === undefined || !isHeld) isHeld = await this.#take();
        const isAsked = !isHeld || (await this.#isAsked());
        if (isAsked && asked !== undefined) return asked();
      } catch {
        isHeld = false;
        const lost = this.#client;
        this.#client = undefined;
        if (lost !== undefined) void end(lost);
      }
    }
  }

  async #isAsked(): Promise<boolean> {
    const client = this.#client as pg.Client;
    const { rows } = await client.query(look);
    const isWanted: boolean = rows[0].is_wanted;
    const epoch = await readEpoch(client);
    const before = this.#epoch ?? epoch;
    this.#epoch = epoch ?? before;
    return isWanted || this.#epoch !== before;
  }
}

/**
 * Takes the shared lock, unless a restore has announced that it wants the data. The restore goes
 * first.
 */
const take = `
  select case when pg_try_advisory_xact_lock_shared(${dataLock.wanted})
    then pg_try_advisory_lock_shared(${dataLock.held}) else false end as taken`;
const look = `select not pg_try_advisory_xact_lock_shared(${dataLock.wanted}) as is_wanted`;

/**
 * Returns the epoch, an id that every restore changes. It is null before the first start has stored
 * one, or if the tables are not migrated yet.
 */
async function readEpoch(client: pg.Client): Promise<string | null> {
  try {
    const { rows } = await client.query('select epoch from proofmark.installation');
    return rows[0]?.epoch ?? null;
  } catch (error) {
    if (isMissing.includes(String((error as { code?: unknown }).code))) return null;
    throw error;
  }
}

/** PostgreSQL's codes for a missing table and a missing column. */
const isMissing = ['42P01', '42703'];

async function end(client: pg.Client): Promise<void> {
  // The server may neither answer nor close the connection, so the wait is limited.
  const timeout = setTimeout(() => client.connection.stream.destroy(), longestGoodbyeMs);
  await client.end().catch(() => undefined);
  clearTimeout(timeout);
}
