/**
 * The database cannot be reached or did not answer. The error says nothing about the data, so
 * callers treat it as temporary and retry.
 */
import pg from 'pg';

export class DatabaseAway extends Error {
  readonly code: AwayCode;

  constructor(code: AwayCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Returns true also if PostgreSQL itself reports that it is stopping, starting, or accepting no
 * more connections.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  return error instanceof pg.DatabaseError && /^(08|57P0[1-5]|53300)/.test(error.code ?? '');
}

/**
 * Returns the reason why a connection failed. Errors that PostgreSQL or TLS report are returned
 * unchanged.
 */
export function connectFailure(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof DatabaseAway || error instanceof pg.DatabaseError) return error;
  if (code !== undefined && !/^E[A-Z]+$/.test(String(code))) return error;
  const away = (code ?? 'CONNECTION_CLOSED') as AwayCode;
  return new DatabaseAway(away, message ?? 'There is no connection to PostgreSQL.', error);
}

type AwayCode =
  | 'CONNECTION_CLOSED'
  /**
   * No answer came within the deadline, or the heartbeat found the database silent while the
   * statement waited.
   */
  | 'CONNECTION_SILENT'
  | 'CONNECTION_BUSY'
  | 'CONNECT_TIMEOUT'
  | `E${Uppercase<string>}`;
