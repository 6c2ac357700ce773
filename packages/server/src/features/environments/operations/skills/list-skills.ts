import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import * as skills from '../../store/skills.ts';
import { presentSkill } from './present-skill.ts';

export const listSkills: Action<'listSkills'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => skills.readSkills(sql, context.project.id, page)),
    presentSkill,
  );
