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
 * The lock comes before the read, because a statement that waits for a row does not see a version
 * that was written in the meantime.
 */
export async function lockSkill(
  sql: Sql,
  projectId: string,
  skillId: string,
): Promise<skills.StoredSkillDetail> {
  if (!(await skills.lockStoredSkill(sql, projectId, skillId))) refuse(notFound);
  return findSkill(sql, projectId, skillId);
}
