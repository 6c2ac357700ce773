/** The disk of the database has no room, as reported by PostgreSQL or detected by us beforehand. */
export class DiskIsFull extends Error {
  readonly code = diskFull;

  constructor() {
    super('The disk of the database is full.');
  }
}

/** PostgreSQL's code for a full disk. */
const diskFull = '53100';

/**
 * Returns whether PostgreSQL itself reported a full disk. Our own refusal says nothing new about
 * the disk, and must not prolong itself.
 */
export function isReportedDiskFull(error: unknown): boolean {
  return isDiskFull(error) && !(error instanceof DiskIsFull);
}

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === diskFull;
}
