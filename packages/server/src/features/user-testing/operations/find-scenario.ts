import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readScenario, type StoredScenario } from '../store/scenarios.ts';

export async function findScenario(
  sql: Sql,
  projectId: string,
  scenarioId: string,
  lock?: 'forUpdate',
): Promise<StoredScenario> {
  return (await readScenario(sql, projectId, scenarioId, lock)) ?? refuse(notFound);
}
