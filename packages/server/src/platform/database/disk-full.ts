/**
 * The error that the disk of the database is full. PostgreSQL reported this, or we rejected the
 * work beforehand.
 */
export class DiskIsFull extends Error {
  readonly code = diskFull;

  constructor() {
    super('The disk of the database is full.');
  }
}

/** PostgreSQL's code for a full disk. */
const diskFull = '53100';

/**
 * Returns whether PostgreSQL itself reported a full disk. Our own rejection does not count: it is
 * no new information about the disk, and would otherwise prolong itself.
 */
export function isReportedDiskFull(error: unknown): boolean {
  return isDiskFull(error) && !(error instanceof DiskIsFull);
}

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === diskFull;
}
