/** Shared by the run and the journey of the sample. */
import { randomBytes } from 'node:crypto';
import { type IdKind, makeId } from '@proofmark/domain';
import type { LaunchDependencies } from '../../features/evals/operations/runs/prepared-launch.ts';
import type { AuditActor } from '../../platform/accounts/store/audit-log.ts';
import type { Database } from '../../platform/database/database.ts';

export interface SampleDependencies extends Pick<LaunchDependencies, 'models' | 'limits'> {
  readonly database: Database;
  /** Whether this process runs a worker. */
  readonly worker: boolean;
}

export const sampleActor: AuditActor = {
  accountId: null,
  accountEmail: 'sample',
  callerKind: 'service',
};
/** The sample takes seconds; on a machine that is busy a minute, and a start that does not report it has no decision to show. */
export const sampleWait = { longestMs: 60_000, betweenLooksMs: 100 } as const;

export function newId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
