/**
 * The database did not answer, or cannot be reached: nothing it said about the data. Its code is one that callers
 * take for passing, so they ask again.
 */
export class DatabaseAway extends Error {
  readonly code: AwayCode;

  constructor(code: AwayCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

type AwayCode =
  /** The connection ended before the answer came. */
  | 'CONNECTION_CLOSED'
  /** No answer within the deadline, or while the heartbeat found the database silent. */
  | 'CONNECTION_SILENT'
  /** Every connection of the pool was in use until the deadline. */
  | 'CONNECTION_BUSY'
  | 'CONNECT_TIMEOUT';
