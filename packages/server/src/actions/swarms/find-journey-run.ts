import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readJourneyRun, type StoredJourneyRun } from '../../storage/swarms/journey-runs.ts';
import { refuse } from '../action.ts';

/** The run of the path, or the one body that stands for every id that is not there. */
export async function findJourneyRun(
  sql: Sql,
  projectId: string,
  runId: string,
  lock?: 'forUpdate',
): Promise<StoredJourneyRun> {
  return (await readJourneyRun(sql, projectId, runId, lock)) ?? refuse(notFound);
}
