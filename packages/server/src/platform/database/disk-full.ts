export class DiskIsFull extends Error {
  readonly code = diskFull;

  constructor() {
    super('The disk of the database is full.');
  }
}

const diskFull = '53100';

/**
 * Returns whether PostgreSQL itself reported a full disk. Our own rejection does not count: it
 * would prolong itself.
 */
export function isReportedDiskFull(error: unknown): boolean {
  return isDiskFull(error) && !(error instanceof DiskIsFull);
}

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === diskFull;
}
