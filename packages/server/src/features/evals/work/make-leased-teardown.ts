/**
 * The calls after one trial, made by whoever took them. It says again and again that it lives, and goes no further once
 * they are not its own any more. Where it is stopped before the first of them was sent, they are given back.
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

/** Makes them; says when the first is sent, and answers with what is to be told of them, without secrets. */
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
        if (!isOurs) lost.abort(new Error('The calls after the trial were given up for lost.'));
      })
      // What that means is decided by how long it lasts.
      .catch(() => undefined);
  const beat = setInterval(() => void keep(), leaseMs / 2);
  // What was made is told also by one who is leaving.
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

/** After how long a silence whoever took them is gone: none who lives is silent for as long. */
export function silenceOfDead(leaseMs: number): number {
  return 12 * leaseMs;
}
