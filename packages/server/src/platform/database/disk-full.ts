/** There is no room on the disk of the database; said by PostgreSQL, or by us before it has to. */
export class DiskIsFull extends Error {
  readonly code = diskFull;

  constructor() {
    super('The disk of the database is full.');
  }
}

/** The code of PostgreSQL for it. */
const diskFull = '53100';

/** Whether PostgreSQL itself reported it. A refusal of ours is no news of the disk, and must not prolong itself. */
export function isReportedDiskFull(error: unknown): boolean {
  return isDiskFull(error) && !(error instanceof DiskIsFull);
}

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === diskFull;
}
