import { notFound, type SavedJourney } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readJourney } from '../../storage/swarms/journeys.ts';
import { refuse } from '../action.ts';

export async function findJourney(
  sql: Sql,
  projectId: string,
  journeyId: string,
  lock?: Parameters<typeof readJourney>[3],
): Promise<SavedJourney> {
  return (await readJourney(sql, projectId, journeyId, lock)) ?? refuse(notFound);
}
