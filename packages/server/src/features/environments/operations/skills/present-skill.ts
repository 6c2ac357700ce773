import type { OutputOf } from '@proofmark/contract';
import type { SkillVersion, StoredSkill, StoredSkillDetail } from '../../store/skills.ts';

export function presentSkill(skill: StoredSkill): OutputOf<'listSkills'>['items'][number] {
  return {
    id: skill.id,
    projectId: skill.projectId,
    name: skill.name,
    ...(skill.description === null ? {} : { description: skill.description }),
    latest: presentVersion(skill.latest),
    createdAt: skill.createdAt.getTime(),
    updatedAt: skill.updatedAt.getTime(),
  };
}

export function presentSkillDetail(skill: StoredSkillDetail): OutputOf<'getSkill'> {
  return {
    ...presentSkill(skill),
    content: skill.content,
    versions: skill.versions.map(presentVersion),
  };
}

function presentVersion(version: SkillVersion) {
  const { id, number, contentHash } = version;
  return { id, number, contentHash, createdAt: version.createdAt.getTime() };
}
