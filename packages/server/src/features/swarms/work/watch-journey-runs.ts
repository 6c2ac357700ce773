/**
 * Ends journey runs past their deadline. A run without a heartbeat for 150 seconds ends as stale;
 * its played sessions remain and are graded. Every worker calls this regularly, and a repeated call
 * changes nothing.
 */

import type { Database } from '../../../platform/database/database.ts';
import type { QueueLog } from '../../../platform/jobs/start-queue.ts';
import { endJourneyRun } from '../operations/end-journey-run.ts';
import { listOverdueJourneyRuns, readJourneyRun } from '../store/journey-runs.ts';

export async function watchJourneyRuns(
  database: Database,
  log: Pick<QueueLog, 'error'>,
): Promise<number> {
  let ended = 0;
  for (const { organizationId, projectId, runId } of await listOverdueJourneyRuns(database.sql)) {
    try {
      ended += await database.tenant(
        [organizationId],
        async (sql) => {
          const run = await readJourneyRun(sql, projectId, runId, 'forUpdate');
          if (run === undefined || run.status !== 'running' || !run.isOverdue) return 0;
          await endJourneyRun(sql, run, run.isSilent ? 'stale_runner' : 'run_timeout');
          return 1;
        },
        'slow',
      );
    } catch (error) {
      log.error({ err: error, runId }, 'an overdue journey run could not be ended');
    }
  }
  return ended;
}
