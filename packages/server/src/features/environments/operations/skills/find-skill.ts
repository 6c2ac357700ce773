import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import * as skills from '../../store/skills.ts';

export async function findSkill(
  sql: Sql,
  projectId: string,
  skillId: string,
): Promise<skills.StoredSkillDetail> {
  return (await skills.readSkill(sql, projectId, skillId)) ?? refuse(notFound);
}

/**
 * A separate statement locks first. A single statement that waited for the row would not see a
 * version written during the wait.
 */
export async function lockSkill(
  sql: Sql,
  projectId: string,
  skillId: string,
): Promise<skills.StoredSkillDetail> {
  if (!(await skills.lockStoredSkill(sql, projectId, skillId))) refuse(notFound);
  return findSkill(sql, projectId, skillId);
}
