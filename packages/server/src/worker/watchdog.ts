/**
 * Looks after what went silent. A slice whose lease ran out is opened again and gets a lane; a run or a judge that
 * waits for work and has no job gets one, whatever became of those it had; a run whose time is over is ended, and so is
 * a reported one to which nothing came for as long. Every worker does this, and doing it twice changes nothing. What cannot be done for one run is told and keeps nobody else
 * waiting.
 */
import { abandonReportedRun } from '../actions/eval-ingest/abandon-reported-run.ts';
import { endRun } from '../actions/eval-runs/end-run.ts';
import type { QueueLog } from '../queue/start-queue.ts';
import type { Database } from '../storage/database/database.ts';
import { readRun } from '../storage/eval-runs/eval-runs.ts';
import {
  listOverdueRuns,
  type PlaceOfRun,
  reopenSilentSlices,
} from '../storage/eval-runs/eval-slices.ts';
import { addLane, reviveWork } from '../storage/eval-runs/jobs.ts';

export interface WatchReport {
  readonly reopened: number;
  readonly revived: number;
  readonly ended: number;
}

export async function watch(
  database: Database,
  log: Pick<QueueLog, 'error'>,
): Promise<WatchReport> {
  const silent = await reopenSilentSlices(database.sql);
  for (const { slice, ...place } of silent) {
    await database.tenant([place.organizationId], (sql) =>
      addLane(sql, { ...place, lane: `again-${slice}` }),
    );
  }
  const revived = await reviveWork(database.sql);
  let ended = 0;
  for (const place of await listOverdueRuns(database.sql)) {
    try {
      ended += (await endOverdue(database, place)) ? 1 : 0;
    } catch (error) {
      log.error({ err: error, runId: place.runId }, 'a run whose time is over could not be ended');
    }
  }
  return { reopened: silent.length, revived, ended };
}

async function endOverdue(database: Database, place: PlaceOfRun): Promise<boolean> {
  return database.tenant([place.organizationId], async (sql) => {
    const run = await readRun(sql, place.projectId, place.runId, 'forUpdate');
    if (run === undefined || (run.status !== 'pending' && run.status !== 'running')) return false;
    if (run.source !== 'sdk') await endRun(sql, run, 'failed');
    // A batch may have come while we waited for the run.
    else if (run.isOverdue) await abandonReportedRun(sql, run, 'failed');
    else return false;
    return true;
  });
}
