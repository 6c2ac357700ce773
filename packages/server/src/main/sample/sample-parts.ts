import { randomBytes } from 'node:crypto';
import { type IdKind, makeId } from '@proofmark/domain';
import type { LaunchDependencies } from '../../features/evals/operations/runs/prepared-launch.ts';
import type { AuditActor } from '../../platform/accounts/store/audit-log.ts';
import type { Database } from '../../platform/database/database.ts';

export interface SampleDependencies extends Pick<LaunchDependencies, 'models' | 'limits'> {
  readonly database: Database;
  /** Whether this process contains a worker, which plays runs. */
  readonly worker: boolean;
}

export const sampleActor: AuditActor = {
  accountId: null,
  accountEmail: 'sample',
  callerKind: 'service',
};
/**
 * How long a start waits for the sample, and how often it checks. The sample takes seconds, and up
 * to a minute on a busy machine. After the wait, the start shows no decision.
 */
export const sampleWait = { longestMs: 60_000, betweenLooksMs: 100 } as const;

export function newId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
