/**
 * Ends runs past their deadline, including reported runs that got no report until then. Every
 * worker does this; doing it twice changes nothing. An error with one run is logged and does not
 * delay the other runs.
 */

import type { Database, Sql } from '../../../platform/database/database.ts';
import type { QueueLog } from '../../../platform/jobs/start-queue.ts';
import { abandonReportedRun } from '../operations/ingest/abandon-reported-run.ts';
import { endRun } from '../operations/runs/end-run.ts';
import { readRun } from '../store/eval-runs.ts';
import type { RunLocation } from '../store/run-location.ts';
import { listOverdueRuns } from '../store/run-work.ts';

export async function watch(database: Database, log: Pick<QueueLog, 'error'>): Promise<number> {
  let ended = 0;
  for (const place of await listOverdueRuns(database.sql)) {
    try {
      ended += (await endOverdue(database, place)) ? 1 : 0;
    } catch (error) {
      log.error({ err: error, runId: place.runId }, 'an overdue run could not be ended');
    }
  }
  return ended;
}

async function endOverdue(database: Database, place: RunLocation): Promise<boolean> {
  const end = async (sql: Sql) => {
    const run = await readRun(sql, place.projectId, place.runId, 'forUpdate');
    if (run === undefined || (run.status !== 'pending' && run.status !== 'running')) return false;
    if (run.source !== 'sdk') await endRun(sql, run, 'failed');
    // `isOverdue` is read under the lock: a batch that arrived during the wait for the lock has
    // moved the deadline.
    else if (run.isOverdue) await abandonReportedRun(sql, run, 'failed');
    else return false;
    return true;
  };
  return database.tenant([place.organizationId], end, 'slow');
}
