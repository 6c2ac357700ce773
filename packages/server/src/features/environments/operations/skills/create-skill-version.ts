import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Action } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { insertSkillVersion } from '../../store/skills.ts';
import { findSkill, lockSkill } from './find-skill.ts';
import { presentSkillDetail } from './present-skill.ts';

export const createSkillVersion: Action<'createSkillVersion'> = async (
  context,
  { params, body },
) => {
  const { project } = context;
  const contentHash = sha256Hex(body.content);
  return context.tenant(async (sql) => {
    const skill = await lockSkill(sql, project.id, params.skillId);
    if (skill.latest.contentHash === contentHash) return presentSkillDetail(skill);
    await insertSkillVersion(sql, project.organizationId, skill.id, {
      id: context.newId('skillVersion'),
      number: skill.latest.number + 1,
      content: body.content,
      contentHash,
    });
    await recordAudit(sql, context, { action: 'skill.versionCreated', subjectId: skill.id });
    return presentSkillDetail(await findSkill(sql, project.id, skill.id));
  });
};
