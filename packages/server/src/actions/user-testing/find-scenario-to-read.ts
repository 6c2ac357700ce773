import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import {
  readScenarioOfAnyTime,
  type StoredScenario,
} from '../../storage/user-testing/scenarios.ts';
import { type ProjectContext, refuse } from '../action.ts';

/** Whose sessions are asked for: a published one, or for admins one that was unpublished. */
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
