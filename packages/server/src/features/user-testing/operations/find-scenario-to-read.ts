import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { readScenarioOfAnyTime, type StoredScenario } from '../store/scenarios.ts';

/** Admins may also read the sessions of an unpublished scenario. */
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
