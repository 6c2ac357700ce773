import type { Socket } from 'node:net';
import pg from 'pg';
import { type ConnectionKind, clientConfig } from './client-config.ts';
import { DatabaseConnection } from './connection.ts';
import { DatabaseAway } from './database-away.ts';
import { defaultDeadlines } from './deadlines.ts';
import { preparedText } from './prepared.ts';

const connectWithinMs = 10_000;

/** Runs the work on one connection of its own, which is closed whatever happens. Its statements count as slow. */
export async function connect<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  kind: ConnectionKind = 'operator',
  slowMs = defaultDeadlines.slowMs,
): Promise<Result> {
  const client = new pg.Client(clientConfig(url, kind));
  // A connection that breaks while nothing is asked would else end the process; the next question fails anyway.
  client.on('error', () => {});
  const timer = setTimeout(() => destroy(client, 'CONNECT_TIMEOUT'), connectWithinMs);
  let watch: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    clearTimeout(timer);
    watch = destroyWhenSilent(url, client, slowMs);
    return await work(client);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await client.end().catch(() => {});
  }
}

/**
 * A migration of a large table, or a lock that another process holds, may take longer than any deadline. So a statement
 * that is late is given as long again if PostgreSQL says, on another connection, that it is still at work on it.
 */
function destroyWhenSilent(url: string, client: pg.Client, slowMs: number): NodeJS.Timeout {
  const socket = client.connection.stream as Socket;
  const driver = client as unknown as Driver;
  let bytes = 0;
  const look = async () => {
    const before = bytes;
    bytes = socket.bytesRead + socket.bytesWritten;
    if (bytes !== before || driver.readyForQuery) return;
    const isAtWork = await isActive(url, driver.processID).catch((error) => !isSilence(error));
    const isSilent = socket.bytesRead + socket.bytesWritten === bytes && !driver.readyForQuery;
    if (!isAtWork && isSilent) destroy(client, 'CONNECTION_SILENT');
  };
  return setInterval(() => void look(), slowMs);
}

/** A refusal, such as that of too many connections, is a sign of life. */
function isSilence(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'CONNECT_TIMEOUT' || code === 'CONNECTION_SILENT';
}

async function isActive(url: string, processId: number): Promise<boolean> {
  const connection = await DatabaseConnection.open(clientConfig(url, 'heartbeat'), connectWithinMs);
  try {
    const statement = { prepared: activeProcess, values: [String(processId)] };
    const { rows } = await connection.ask({ statement, deadlineMs: defaultDeadlines.callMs });
    return rows.length > 0;
  } finally {
    await connection.end();
  }
}

const activeProcess = preparedText(
  "select 1 from pg_stat_activity where pid = $1 and state = 'active'",
).of(undefined);

function destroy(client: pg.Client, code: 'CONNECT_TIMEOUT' | 'CONNECTION_SILENT'): void {
  client.connection.stream.destroy(new DatabaseAway(code, 'PostgreSQL did not answer in time.'));
}

/** What the driver knows and its types do not say. */
interface Driver {
  readonly processID: number;
  readonly readyForQuery: boolean;
}
