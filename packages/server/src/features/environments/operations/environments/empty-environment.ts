import type { Environment } from '@proofmark/domain';
import type { ProjectContext } from '../../../../platform/operations/action.ts';

/**
 * The starting point of a new environment. The creation is applied to it as an edit, so creating
 * and editing obey the same rule.
 */
export function emptyEnvironment(
  { newId, project }: ProjectContext,
  given: Pick<Environment, 'name' | 'hostId'>,
): Environment {
  return {
    id: newId('environment'),
    projectId: project.id,
    ...given,
    description: null,
    serverAttachmentId: null,
    modelId: null,
    skillSelection: null,
    pluginVersionIds: null,
    sandboxImageId: null,
    revision: 0,
    archivedAt: null,
  };
}
