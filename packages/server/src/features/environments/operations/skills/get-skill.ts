import type { Action } from '../../../../platform/operations/action.ts';
import { findSkill } from './find-skill.ts';
import { presentSkillDetail } from './present-skill.ts';

export const getSkill: Action<'getSkill'> = async (context, { params }) =>
  presentSkillDetail(
    await context.tenant((sql) => findSkill(sql, context.project.id, params.skillId)),
  );
