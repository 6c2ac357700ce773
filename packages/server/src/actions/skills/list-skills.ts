import * as skills from '../../storage/environments/skills.ts';
import { type Action, presentPage } from '../action.ts';
import { presentSkill } from './present-skill.ts';

export const listSkills: Action<'listSkills'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => skills.readSkills(sql, context.project.id, page)),
    presentSkill,
  );
