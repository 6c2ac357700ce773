import type { Action } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseInUse } from '../../../../platform/operations/refuse-in-use.ts';
import { skillUsers } from '../../store/environment-use.ts';
import * as skills from '../../store/skills.ts';
import { lockSkill } from './find-skill.ts';

export const deleteSkill: Action<'deleteSkill'> = async (context, { params }) => {
  await context.tenant(async (sql) => {
    const { id } = await lockSkill(sql, context.project.id, params.skillId);
    refuseInUse('skill', await skillUsers(sql, id));
    await skills.removeSkill(sql, id);
    await recordAudit(sql, context, { action: 'skill.deleted', subjectId: id });
  });
  return { id: params.skillId, deleted: true };
};
