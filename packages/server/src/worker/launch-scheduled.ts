/**
 * Launches the run that a schedule wants, as any other run. The time of the schedule is the key of the launch, so a job
 * that is done twice launches one run. While the organization has as many runs as it may, and while we ourselves
 * fail, the job is tried again until the schedule is due the next time; any other refusal is told in the log.
 */
import { randomBytes } from 'node:crypto';
import { type IdKind, makeId, Refused, scheduledRunNote } from '@proofmark/domain';
import { launchRun } from '../actions/eval-runs/launch-run.ts';
import type { RunLimits } from '../actions/eval-runs/run-limits.ts';
import type { ScheduledLaunch } from '../storage/schedules.ts';
import type { WorkerMeans } from './worker-means.ts';

export interface ScheduleMeans {
  readonly runLimits: RunLimits;
}

export async function launchScheduled(
  means: WorkerMeans & ScheduleMeans,
  { organizationId, projectId, suiteId, environmentId, accountId, tick }: ScheduledLaunch,
): Promise<void> {
  const { database, models, log, runLimits, stdioAddressOf } = means;
  const place = { organizationId, projectId, accountId };
  try {
    await launchRun(
      { ...place, database, models, newId, stdioAddressOf, limits: runLimits },
      {
        suiteId,
        idempotencyKey: `schedule:${suiteId}:${tick}`,
        notes: scheduledRunNote,
        ...(environmentId !== null && { environmentId }),
      },
    );
  } catch (error) {
    const isPermanent = error instanceof Refused && error.refusal.code !== 'RATE_LIMITED';
    if (!isPermanent) throw error;
    log.warn({ suiteId, reason: error.message }, 'a scheduled run was refused');
  }
}

function newId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
