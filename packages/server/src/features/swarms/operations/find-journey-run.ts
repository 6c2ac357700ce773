import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readJourneyRun, type StoredJourneyRun } from '../store/journey-runs.ts';

/**
 * Returns the run with this id, or refuses with the same response for every id that does not exist.
 */
export async function findJourneyRun(
  sql: Sql,
  projectId: string,
  runId: string,
  lock?: 'forUpdate',
): Promise<StoredJourneyRun> {
  return (await readJourneyRun(sql, projectId, runId, lock)) ?? refuse(notFound);
}
