/**
 * The database did not answer, or cannot be reached: nothing it said about the data. Its code is one that callers
 * take for passing, so they ask again.
 */
import pg from 'pg';

export class DatabaseAway extends Error {
  readonly code: AwayCode;

  constructor(code: AwayCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Also where PostgreSQL itself says that it stops, starts or takes no more connections. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  return error instanceof pg.DatabaseError && /^(08|57P0[1-5]|53300)/.test(error.code ?? '');
}

/** Why there is no connection. What PostgreSQL said, or TLS found, stays as it is. */
export function connectFailure(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof DatabaseAway || error instanceof pg.DatabaseError) return error;
  if (code !== undefined && !/^E[A-Z]+$/.test(String(code))) return error;
  const away = (code ?? 'CONNECTION_CLOSED') as AwayCode;
  return new DatabaseAway(away, message ?? 'There is no connection to PostgreSQL.', error);
}

type AwayCode =
  /** The connection ended before the answer came. */
  | 'CONNECTION_CLOSED'
  /** No answer within the deadline, or while the heartbeat found the database silent. */
  | 'CONNECTION_SILENT'
  /** Every connection of the pool was in use until the deadline. */
  | 'CONNECTION_BUSY'
  | 'CONNECT_TIMEOUT'
  /** As the system calls why there is no connection, such as ECONNREFUSED. */
  | `E${Uppercase<string>}`;
