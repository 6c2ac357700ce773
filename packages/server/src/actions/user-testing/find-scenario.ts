import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readScenario, type StoredScenario } from '../../storage/user-testing/scenarios.ts';
import { refuse } from '../action.ts';

/** A published one of the project. */
export async function findScenario(
  sql: Sql,
  projectId: string,
  scenarioId: string,
  lock?: 'forUpdate',
): Promise<StoredScenario> {
  return (await readScenario(sql, projectId, scenarioId, lock)) ?? refuse(notFound);
}
