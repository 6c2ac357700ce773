import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { readScenarioOfAnyTime, type StoredScenario } from '../store/scenarios.ts';

/**
 * Finds the scenario whose sessions are read. Admins may also read those of an unpublished
 * scenario.
 */
export async function findScenarioToRead(
  sql: Sql,
  { project }: Pick<ProjectContext, 'project'>,
  scenarioId: string,
): Promise<StoredScenario> {
  const scenario = await readScenarioOfAnyTime(sql, project.id, scenarioId);
  if (scenario === undefined) return refuse(notFound);
  if (scenario.unpublishedAt !== null && project.tier !== 'admin') return refuse(notFound);
  return scenario;
}
