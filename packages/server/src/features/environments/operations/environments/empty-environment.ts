import type { Environment } from '@proofmark/domain';
import type { ProjectContext } from '../../../../platform/operations/action.ts';

/**
 * Creating an environment applies the first edit to this empty one, so that one rule decides all
 * fields.
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
