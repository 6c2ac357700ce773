import type { OutputOf } from '@proofmark/contract';
import type { ProjectTier } from '@proofmark/domain';
import type { StoredProject } from '../../../platform/accounts/store/projects.ts';

export function presentProject(
  project: StoredProject,
  tier: ProjectTier,
): OutputOf<'createProject'> {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    icon: project.icon,
    organizationId: project.organizationId,
    visibility: project.visibility,
    isDefault: project.isDefault,
    role: tier,
    createdAt: project.createdAt.getTime(),
    updatedAt: project.updatedAt.getTime(),
  };
}
