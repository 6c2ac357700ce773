import { notFound, type SavedJourney } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readJourney } from '../store/journeys.ts';

export async function findJourney(
  sql: Sql,
  projectId: string,
  journeyId: string,
  lock?: Parameters<typeof readJourney>[3],
): Promise<SavedJourney> {
  return (await readJourney(sql, projectId, journeyId, lock)) ?? refuse(notFound);
}
