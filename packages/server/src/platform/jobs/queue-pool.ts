/**
 * The connections for the library of the job queue, which notices a cut connection only when a
 * statement fails. So each statement has our deadline, and the heartbeat destroys these connections
 * when PostgreSQL is silent.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { clientConfig } from '../database/client-config.ts';
import { DatabaseAway } from '../database/database-away.ts';
import { defaultDeadlines } from '../database/deadlines.ts';
import type { DropSilent, SilentConnections } from '../database/silent-connections.ts';

type Given = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
type Query = (...given: unknown[]) => unknown;

export class QueuePool extends pg.Pool implements SilentConnections {
  readonly #open = new Set<pg.PoolClient>();

  constructor(url: string, deadlineMs = defaultDeadlines.callMs) {
    super({ ...clientConfig(url, 'queue'), connectionTimeoutMillis: defaultDeadlines.connectMs });
    this.on('error', () => undefined);
    this.on('connect', (client) => {
      client.on('error', () => undefined);
      this.#open.add(client);
      client.on('end', () => this.#open.delete(client));
      limitQuestions(client, deadlineMs);
    });
  }

  listen(): DropSilent {
    const readings = [...this.#open].map((client) => ({
      client,
      bytes: socketOf(client).bytesRead,
    }));
    return (reason, atWork) => {
      const silent = readings.filter(
        ({ client, bytes }) => this.#open.has(client) && socketOf(client).bytesRead === bytes,
      );
      const lost = silent.filter(({ client }) => !atWork.has(processOf(client)));
      for (const { client } of lost) socketOf(client).destroy(reason);
      return silent.length - lost.length;
    };
  }

  /** Late answers need no extra check: each statement of this pool already has a short deadline. */
  listenToLate(): undefined {
    return undefined;
  }

  /**
   * No call must be failed here: no request waits for these connections, and each wait has a
   * deadline.
   */
  failWaiting(): void {}

  override connect(): Promise<pg.PoolClient>;
  override connect(given: Given): void;
  override connect(given?: Given): Promise<pg.PoolClient> | undefined {
    const taken = super.connect().then(releasedOnce);
    if (given === undefined) return taken;
    taken.then(
      (client) => given(undefined, client, client.release),
      (error: Error) => given(error, undefined, () => undefined),
    );
    return undefined;
  }
}

/**
 * Makes further releases of a connection do nothing. When connections are cut, the library releases
 * one twice, which would end the process.
 */
function releasedOnce(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let isReleased = false;
  client.release = (error) => {
    if (isReleased) return;
    isReleased = true;
    release(error);
  };
  return client;
}

/**
 * Gives each statement a deadline, after which the connection is destroyed. The driver's own limit
 * would leave the connection in use.
 */
function limitQuestions(client: pg.PoolClient, deadlineMs: number): void {
  const query = client.query.bind(client) as Query;
  const limited: Query = (...given) => {
    let isAnswered = false;
    const giveUp = () => {
      if (isAnswered) return;
      const message = 'PostgreSQL did not answer the queue in time.';
      socketOf(client).destroy(new DatabaseAway('CONNECTION_SILENT', message));
    };
    // Bytes that arrived while this process was paused are read before the connection is ended.
    const timer = setTimeout(() => setImmediate(giveUp), deadlineMs);
    const answered = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      return query(...given.slice(0, -1), (...outcome: unknown[]) => {
        answered();
        callback(...outcome);
      });
    }
    const answer = query(...given) as Promise<unknown>;
    answer.then(answered, answered);
    return answer;
  };
  client.query = limited as pg.PoolClient['query'];
}

function processOf(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as pg.Client).connection.stream as Socket;
}
