/**
 * Launches the run of a schedule like any other run. The due time is the idempotency key of the
 * launch, so a job that runs twice launches one run. Without a free slot, or after a failure of
 * Proofmark, the job is retried until the schedule is due again.
 */
import { Refused, type ScheduleAttempt, scheduledRunNote } from '@proofmark/domain';
import { makeNewId } from '../../../platform/operations/make-new-id.ts';
import { launchRun } from '../operations/runs/launch-run.ts';
import { recordAttempt, type ScheduledLaunch } from '../store/schedules.ts';
import type { WorkerDependencies } from './worker-parts.ts';

export async function launchScheduled(
  dependencies: WorkerDependencies,
  { organizationId, projectId, suiteId, environmentId, accountId, tick }: ScheduledLaunch,
): Promise<void> {
  const { database, models, log, runLimits, stdioAddressOf } = dependencies;
  const ids = { organizationId, projectId, accountId };
  const record = (error: ScheduleAttempt['error']) =>
    database.tenant([organizationId], (sql) => recordAttempt(sql, suiteId, error));
  try {
    await launchRun(
      {
        ...ids,
        actor: schedule,
        database,
        models,
        newId: makeNewId,
        stdioAddressOf,
        limits: runLimits,
      },
      {
        suiteId,
        idempotencyKey: `schedule:${suiteId}:${tick}`,
        notes: scheduledRunNote,
        ...(environmentId !== null && { environmentId }),
      },
    );
    await record(null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message } = error.refusal;
    await record({ code, message });
    if (code === 'RATE_LIMITED') throw error;
    log.warn({ suiteId, reason: message }, 'a scheduled run was refused');
  }
}

/** The schedule itself is the actor, because the suite's author may have left the organization. */
const schedule = { accountId: null, accountEmail: 'schedule', callerKind: 'service' } as const;
