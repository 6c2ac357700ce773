/**
 * The connections for one kind of work. They are opened when needed, up to a limit, and the most
 * recently used one is used next. Losing one does not affect the others.
 */
import type pg from 'pg';
import { DatabaseConnection } from './connection.ts';
import { connectFailure, DatabaseAway } from './database-away.ts';
import type { Deadlines } from './deadlines.ts';
import type { DropSilent, SilentConnections } from './silent-connections.ts';

export interface PoolOptions {
  readonly config: pg.ClientConfig;
  readonly max: number;
  readonly deadlines: Deadlines;
  /** Returns whether PostgreSQL is known to be silent; `take` then fails at once. */
  readonly isSilent?: () => boolean;
}

interface Waiting {
  taken(connection: DatabaseConnection): void;
  failed(error: unknown): void;
}

const longestGoodbyeMs = 5000;

export class Pool implements SilentConnections {
  readonly #options: PoolOptions;
  readonly #open = new Set<DatabaseConnection>();
  #idle: DatabaseConnection[] = [];
  #waiting: Waiting[] = [];
  #connecting = 0;
  #isClosed = false;
  #allBack: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get deadlines(): Deadlines {
    return this.#options.deadlines;
  }

  take(): Promise<DatabaseConnection> | DatabaseConnection {
    if (this.#isClosed) return Promise.reject(closedPool());
    if (this.#options.isSilent?.()) return Promise.reject(silence());
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen) return idle;
    }
    return this.#waitForOne();
  }

  /**
   * Returns a connection to the pool. Must be called for every connection that was taken, even a
   * lost one.
   */
  give(connection: DatabaseConnection): void {
    if (!connection.isOpen) return;
    if (connection.isStale) return void connection.end();
    const next = this.#waiting.shift();
    if (next !== undefined) next.taken(connection);
    else if (this.#isClosed) void connection.end();
    else this.#idle.push(connection);
    if (this.#isClosed) this.#allBack?.();
  }

  failWaiting(): void {
    for (const { failed } of this.#waiting.splice(0)) failed(silence());
  }

  listen(): DropSilent {
    return dropSilent([...this.#open]);
  }

  listenToLate(waitedMs: number): DropSilent | undefined {
    const late = [...this.#open].filter((connection) => connection.waitedMs >= waitedMs);
    return late.length === 0 ? undefined : dropSilent(late);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { failed } of this.#waiting.splice(0)) failed(closedPool());
    const inUse = () => this.#open.size - this.#idle.length;
    if (inUse() > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestGoodbyeMs);
        this.#allBack = () => {
          if (inUse() > 0) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const idle = this.#idle.splice(0);
    for (const connection of this.#open) {
      if (!idle.includes(connection)) connection.destroy(closedPool());
    }
    await Promise.all(idle.map((connection) => connection.end()));
  }

  #waitForOne(): Promise<DatabaseConnection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(new DatabaseAway('CONNECTION_BUSY', 'No connection became free in time.'));
      }, this.#options.deadlines.callMs);
      const waiting: Waiting = {
        taken(connection) {
          clearTimeout(timer);
          resolve(connection);
        },
        failed(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.push(waiting);
      this.#connectMore();
    });
  }

  #connectMore(): void {
    const { max } = this.#options;
    const wanted = this.#waiting.length - this.#connecting;
    if (wanted <= 0 || this.#open.size + this.#connecting >= max) return;
    this.#connecting += 1;
    void this.#connect().finally(() => {
      this.#connecting -= 1;
      this.#connectMore();
    });
  }

  async #connect(): Promise<void> {
    const { config, deadlines } = this.#options;
    try {
      const connection = await DatabaseConnection.open(config, deadlines.connectMs);
      this.#open.add(connection);
      void connection.ended.then(() => {
        this.#open.delete(connection);
        this.#idle = this.#idle.filter((one) => one !== connection);
        this.#allBack?.();
        this.#connectMore();
      });
      this.give(connection);
    } catch (error) {
      this.#waiting.shift()?.failed(connectFailure(error));
    }
  }
}

function dropSilent(connections: readonly DatabaseConnection[]): DropSilent {
  const readings = connections.map((connection) => ({ connection, bytes: connection.bytesRead }));
  return (reason, atWork) => {
    const silent = readings.filter(
      ({ connection, bytes }) => connection.isOpen && connection.bytesRead === bytes,
    );
    const lost = silent.filter(({ connection }) => !atWork.has(connection.processId));
    for (const { connection } of lost) connection.destroy(reason);
    return silent.length - lost.length;
  };
}

function silence(): DatabaseAway {
  return new DatabaseAway('CONNECTION_SILENT', 'PostgreSQL is silent.');
}

function closedPool(): DatabaseAway {
  return new DatabaseAway('CONNECTION_CLOSED', 'The connections to PostgreSQL are closed.');
}
