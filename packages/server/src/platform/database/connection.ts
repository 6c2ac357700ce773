/**
 * One connection to PostgreSQL, with our own deadline for every answer. Statements of one turn of
 * the event loop, or that arrive while others are running, are sent together. If an answer is late,
 * the connection is destroyed, since bytes that arrive later could not be assigned to a statement.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseAway } from './database-away.ts';
import {
  type Known,
  type Question,
  type StatementAnswer,
  StatementExchange,
} from './statement-exchange.ts';

const longestGoodbyeMs = 1000;

export type Asking = Pick<Question, 'statement' | 'part' | 'deadlineMs'>;

export class DatabaseConnection {
  readonly ended: Promise<void>;
  readonly #client: pg.Client;
  readonly #known: Known = new Map();
  #waiting: Question[] = [];
  #exchange: StatementExchange | undefined;
  #isAboutToSend = false;
  #timer: NodeJS.Timeout | undefined;
  #waitsSinceMs: number | undefined;
  #lost: DatabaseAway | undefined;
  #isStale = false;

  private constructor(client: pg.Client) {
    this.#client = client;
    client.connection.on('parseComplete', () => this.#exchange?.handleParsed());
    this.ended = new Promise((resolve) => {
      const end = (cause?: unknown) => {
        this.#lose(new DatabaseAway('CONNECTION_CLOSED', 'The connection ended.', cause));
        resolve();
      };
      client.on('error', end);
      client.on('end', () => end());
    });
  }

  static async open(config: pg.ClientConfig, withinMs: number): Promise<DatabaseConnection> {
    const client = new pg.Client(config);
    // A failure to connect rejects the promise below. Without this listener, the error event would
    // end the process as well.
    client.on('error', () => undefined);
    const timer = setTimeout(() => {
      const message = 'PostgreSQL did not answer to a new connection in time.';
      client.connection.stream.destroy(new DatabaseAway('CONNECT_TIMEOUT', message));
    }, withinMs);
    try {
      await client.connect();
      return new DatabaseConnection(client);
    } finally {
      clearTimeout(timer);
    }
  }

  get isOpen(): boolean {
    return this.#lost === undefined;
  }

  /**
   * True if the connection's prepared statements no longer fit the tables, because the tables were
   * altered.
   */
  get isStale(): boolean {
    return this.#isStale;
  }

  get processId(): number {
    return (this.#client as unknown as { readonly processID: number }).processID;
  }

  get waitedMs(): number {
    return this.#waitsSinceMs === undefined ? 0 : performance.now() - this.#waitsSinceMs;
  }

  get bytesRead(): number {
    return (this.#client.connection.stream as Socket).bytesRead;
  }

  ask(asking: Asking): Promise<StatementAnswer> {
    return new Promise((answered, reject) => {
      const failed = (error: unknown) => {
        this.#isStale ||= isOfAlteredTable(error);
        reject(error);
      };
      if (this.#lost !== undefined) return failed(this.#lost);
      this.#waiting.push({ ...asking, answered, failed });
      if (this.#isAboutToSend || this.#exchange !== undefined) return;
      this.#isAboutToSend = true;
      // Sends only after the current turn of the event loop, which may add further statements.
      process.nextTick(() => this.#send());
    });
  }

  /** Fails all running statements without notifying the server. */
  destroy(reason: DatabaseAway): void {
    this.#lose(reason);
    this.#client.connection.stream.destroy();
  }

  /** Closes the connection properly. Call it only when no statement is running. */
  async end(): Promise<void> {
    this.#lost ??= new DatabaseAway('CONNECTION_CLOSED', 'The connection was closed.');
    // The server may neither answer nor close the connection, so the wait is limited.
    const timer = setTimeout(() => this.#client.connection.stream.destroy(), longestGoodbyeMs);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  #send(): void {
    this.#isAboutToSend = false;
    if (this.#waiting.length === 0 || this.#lost !== undefined) return;
    const plain = this.#waiting.findIndex(({ statement }) => typeof statement === 'string');
    const group = this.#waiting.splice(0, plain === -1 ? this.#waiting.length : plain || 1);
    this.#exchange = new StatementExchange(
      group,
      this.#known,
      (next) => this.#waitFor(next),
      () => {
        this.#lost ??= new DatabaseAway('CONNECTION_CLOSED', 'PostgreSQL ended the connection.');
      },
    );
    this.#waitFor(group[0]);
    this.#client.query(this.#exchange);
  }

  #waitFor(next: Question | undefined): void {
    clearTimeout(this.#timer);
    this.#waitsSinceMs = next === undefined ? undefined : performance.now();
    if (next !== undefined) this.#timer = setTimeout(() => this.#tooLate(), next.deadlineMs);
    else {
      this.#exchange = undefined;
      this.#send();
    }
  }

  /**
   * Destroys the connection if the answer is still missing after `setImmediate`. Bytes that arrived
   * while this process was paused are read before that.
   */
  #tooLate(): void {
    const timer = this.#timer;
    setImmediate(() => {
      if (this.#timer !== timer || this.#exchange === undefined) return;
      this.destroy(new DatabaseAway('CONNECTION_SILENT', 'PostgreSQL did not answer in time.'));
    });
  }

  #lose(reason: DatabaseAway): void {
    this.#lost ??= reason;
    clearTimeout(this.#timer);
    const waiting = this.#waiting.splice(0);
    this.#exchange?.handleError(this.#lost);
    for (const { failed } of waiting) failed(this.#lost);
  }
}

function isOfAlteredTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}
