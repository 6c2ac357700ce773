import type { Socket } from 'node:net';
import pg from 'pg';
import { type ConnectionKind, clientConfig } from './client-config.ts';
import { DatabaseConnection } from './connection.ts';
import { DatabaseAway } from './database-away.ts';
import { defaultDeadlines } from './deadlines.ts';
import { preparedText } from './prepared.ts';

const connectWithinMs = 10_000;

/**
 * Runs the work on a separate connection, which is always closed. Its statements have the deadline
 * of slow statements.
 */
export async function connect<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  kind: ConnectionKind = 'operator',
  slowMs = defaultDeadlines.slowMs,
): Promise<Result> {
  const client = new pg.Client(clientConfig(url, kind));
  // Without this listener, a connection that breaks while idle would end the process. The error is
  // not lost, because the next statement fails.
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
 * Destroys a connection if its statement is late and PostgreSQL is not working on it. Migrating a
 * large table, or waiting for a lock, may take longer than any deadline. So if `pg_stat_activity`
 * shows that the statement is still running, it gets the same time again.
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

/**
 * Returns whether PostgreSQL did not respond at all. A refusal, for example for too many
 * connections, is a response.
 */
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

interface Driver {
  readonly processID: number;
  readonly readyForQuery: boolean;
}
