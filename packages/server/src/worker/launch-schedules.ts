/**
 * Launches the runs that are due, each as any other run. A schedule that was missed, by a service that was down, is
 * due once and then again at its next time: `due_schedules` has already moved it there. A run that is refused, since
 * the organization has as many as it may or the suite cannot run, is told in the log and waits for its next time.
 */
import { randomBytes } from 'node:crypto';
import { type IdKind, makeId, Refused } from '@proofmark/domain';
import { launchRun } from '../actions/eval-runs/launch-run.ts';
import type { RunLimits } from '../actions/eval-runs/run-limits.ts';
import { takeDueSchedules } from '../storage/schedules.ts';
import type { WorkerMeans } from './worker-means.ts';

export interface ScheduleMeans {
  readonly runLimits: RunLimits;
}

export async function launchSchedules(means: WorkerMeans & ScheduleMeans): Promise<void> {
  const { database, models, log, runLimits } = means;
  for (const due of await takeDueSchedules(database.sql)) {
    const { organizationId, projectId, suiteId, environmentId, accountId } = due;
    try {
      await launchRun(
        { database, models, newId, organizationId, projectId, accountId, limits: runLimits },
        { suiteId, ...(environmentId !== null && { environmentId }) },
      );
    } catch (error) {
      if (error instanceof Refused) {
        log.warn({ suiteId, reason: error.message }, 'a scheduled run was refused');
      } else {
        log.error({ suiteId, err: error }, 'a scheduled run could not be launched');
      }
    }
  }
}

function newId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
