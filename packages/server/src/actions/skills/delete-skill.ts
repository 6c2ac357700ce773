import { skillUsers } from '../../storage/environments/environment-use.ts';
import * as skills from '../../storage/environments/skills.ts';
import type { Action } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { refuseInUse } from '../refuse-in-use.ts';
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
