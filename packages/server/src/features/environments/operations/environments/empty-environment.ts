import type { Environment } from '@proofmark/domain';
import type { ProjectContext } from '../../../../platform/operations/action.ts';

/** A new environment is an empty one after its first edit, so that one rule says what the fields become. */
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
