import type { BodyInputOf, Skill, SkillDetail } from '@proofmark/contract';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import {
  useDeleteEntity,
  useEntities,
  useEntity,
  useWriteEntity,
} from '../../../kit/data/project-entities.ts';

export function useSkillList(projectId: string) {
  return useEntities<Skill>(['skills', projectId], (page, signal) =>
    client.listSkills({ projectId, ...page }, { signal }),
  );
}

export function useSkill(projectId: string, skillId: string) {
  return useEntity<SkillDetail>(['skills', projectId, skillId], (signal) =>
    client.getSkill({ projectId, skillId }, { signal }),
  );
}

export function useCreateSkill(projectId: string) {
  return useWriteEntity('skills', projectId, (body: BodyInputOf<'createSkill'>) =>
    client.createSkill({ projectId, body }),
  );
}

export function useCreateSkillVersion(projectId: string, skillId: string) {
  const cache = useQueryClient();
  return useWriteEntity('skills', projectId, async (content: string) => {
    const skill = await client.createSkillVersion({ projectId, skillId, body: { content } });
    cache.setQueryData(['skills', projectId, skillId], skill);
    return skill;
  });
}

export function useDeleteSkill(projectId: string, skillId: string, leave: () => Promise<void>) {
  return useDeleteEntity(
    'skills',
    projectId,
    () => client.deleteSkill({ projectId, skillId }),
    leave,
  );
}
