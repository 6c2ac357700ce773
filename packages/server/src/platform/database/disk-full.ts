export class DiskIsFull extends Error {
  readonly code = diskFull;

  constructor() {
    super('The disk of the database is full.');
  }
}

const diskFull = '53100';

/**
 * Returns whether PostgreSQL itself reported a full disk. `DiskIsFull` does not count: we throw it
 * while the disk counts as full, so counting it would prolong that state.
 */
export function isReportedDiskFull(error: unknown): boolean {
  return isDiskFull(error) && !(error instanceof DiskIsFull);
}

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === diskFull;
}
