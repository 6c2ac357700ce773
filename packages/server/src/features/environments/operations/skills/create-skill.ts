import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { nameTaken } from '../../../../platform/operations/name-taken.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import * as skills from '../../store/skills.ts';
import { findSkill } from './find-skill.ts';
import { presentSkillDetail } from './present-skill.ts';

export const createSkill: Action<'createSkill'> = async (context, { body }) => {
  const { project } = context;
  const id = context.newId('skill');
  return context.tenant(async (sql) => {
    const inserted = await skills.insertSkill(sql, project.organizationId, {
      id,
      projectId: project.id,
      name: body.name,
      description: body.description ?? null,
    });
    if (inserted === 'nameTaken') refuse(nameTaken('skill'));
    await skills.insertSkillVersion(sql, project.organizationId, id, {
      id: context.newId('skillVersion'),
      number: 1,
      content: body.content,
      contentHash: sha256Hex(body.content),
    });
    await recordAudit(sql, context, {
      action: 'skill.created',
      subjectId: id,
      details: { fields: Object.keys(body) },
    });
    return presentSkillDetail(await findSkill(sql, project.id, id));
  });
};
