/**
 * Whoever works on the data holds it: a lock of the database that many may have, and that goes with the connection it is
 * held on, so with whoever dies. A restore needs it alone. It says that it wants to by a second lock, which all who hold
 * the data look at every second; they then stop their work, let go, and begin anew when the restore is over.
 */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from './client-config.ts';

/** Advisory locks. Each database has its own. */
export const dataLock = { held: 727_006, wanted: 727_007 } as const;

const lookEveryMs = 1000;
const betweenTriesMs = 200;
const longestAnswerMs = 5000;
const longestGoodbyeMs = 1000;

export interface DataLockOptions {
  readonly url: string;
  /** A restore wants the data, or has replaced it. Said once. */
  asked?(): void;
  /** Said once, when the data cannot be held yet. */
  waits?(): void;
  /** Ends the waiting. */
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

  /** Waits while a restore is under way. */
  static async take(options: DataLockOptions): Promise<DataLock> {
    const hold = new DataLock(options);
    try {
      for (let hasSaid = false; !(await hold.#take()); hasSaid = true) {
        if (!hasSaid) options.waits?.();
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
        // With the connection the lock was lost. What happened meanwhile, the epoch tells; what cannot be held again
        // is a restore's.
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

/** Who wants the data alone goes first. */
const take = `
  select case when pg_try_advisory_xact_lock_shared(${dataLock.wanted})
    then pg_try_advisory_lock_shared(${dataLock.held}) else false end as taken`;
const look = `select not pg_try_advisory_xact_lock_shared(${dataLock.wanted}) as is_wanted`;

/** There is none until the first start has claimed the installation, nor in tables that are yet to be migrated. */
async function readEpoch(client: pg.Client): Promise<string | null> {
  try {
    const { rows } = await client.query('select epoch from proofmark.installation');
    return rows[0]?.epoch ?? null;
  } catch (error) {
    if (isMissing.includes(String((error as { code?: unknown }).code))) return null;
    throw error;
  }
}

/** No such table, no such column. */
const isMissing = ['42P01', '42703'];

async function end(client: pg.Client): Promise<void> {
  // The other side may neither answer nor close.
  const timeout = setTimeout(() => client.connection.stream.destroy(), longestGoodbyeMs);
  await client.end().catch(() => undefined);
  clearTimeout(timeout);
}
