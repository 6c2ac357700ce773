/**
 * Makes the cleanup calls after one trial under a lease. Renews the lease regularly, and stops the
 * calls if the lease is lost. If this process stops before the first call is sent, it releases the
 * calls for another process.
 */
import type { TrialWarning } from '@proofmark/domain';
import type { Database } from '../../../platform/database/database.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  type OwedTeardown,
  releaseTeardown,
  renewTeardown,
  settleTeardown,
} from '../store/owed-teardowns.ts';

export interface TakenAfter extends OwedTeardown {
  readonly organizationId: string;
}

/** Calls `onBegun` when the first cleanup call is sent. Returns the warnings without secrets. */
export type MakeAfter = (
  signal: AbortSignal,
  onBegun: () => void,
) => Promise<readonly TrialWarning[]>;

export async function makeLeasedTeardown(
  database: Pick<Database, 'tenant'>,
  taken: TakenAfter,
  { signal, leaseMs }: { readonly signal: AbortSignal; readonly leaseMs: number },
  make: MakeAfter,
): Promise<void> {
  const { organizationId } = taken;
  const lost = new AbortController();
  const keep = () =>
    database
      .tenant([organizationId], (sql) => renewTeardown(sql, taken))
      .then((isOurs) => {
        if (!isOurs)
          lost.abort(new Error('This worker lost its lease of the calls after the trial.'));
      })
      // A failed renewal alone loses nothing: during a short database outage, the lease stays
      // valid.
      .catch(() => undefined);
  const beat = setInterval(() => void keep(), leaseMs / 2);
  // A stopping process still writes the outcome of the calls that it has made.
  const write = (work: (sql: Parameters<typeof settleTeardown>[0]) => Promise<void>) =>
    retryWhileDatabaseIsAway(
      () => database.tenant([organizationId], work),
      signal.aborted ? AbortSignal.timeout(leaseMs) : signal,
    );
  let isBegun = false;
  try {
    const warnings = await make(AbortSignal.any([signal, lost.signal]), () => {
      isBegun = true;
    });
    await write((sql) => settleTeardown(sql, taken, warnings));
  } catch (error) {
    if (!isBegun) await write((sql) => releaseTeardown(sql, taken));
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/**
 * Returns the milliseconds of silence after which a leaseholder counts as dead. No living
 * leaseholder is silent for that long.
 */
export function silenceOfDead(leaseMs: number): number {
  return 12 * leaseMs;
}
