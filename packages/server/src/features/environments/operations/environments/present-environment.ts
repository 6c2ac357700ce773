import type { OutputOf } from '@proofmark/contract';
import { isAdhoc } from '@proofmark/domain';
import type { StoredEnvironment } from '../../store/environments.ts';

export function presentEnvironment(environment: StoredEnvironment): OutputOf<'getEnvironment'> {
  const { description, serverAttachmentId, modelId, sandboxImageId, archivedAt } = environment;
  const { skillSelection, pluginVersionIds } = environment;
  return {
    id: environment.id,
    projectId: environment.projectId,
    name: environment.name,
    ...(isAdhoc(environment) && { adhoc: true as const }),
    ...(description === null ? {} : { description }),
    hostId: environment.hostId,
    ...(serverAttachmentId === null ? {} : { serverAttachmentId }),
    ...(modelId === null ? {} : { modelId }),
    ...(skillSelection === null
      ? {}
      : { skillSelection: { mode: 'explicit', skillIds: [...skillSelection.skillIds] } }),
    ...(pluginVersionIds === null ? {} : { pluginVersionIds: [...pluginVersionIds] }),
    ...(sandboxImageId === null ? {} : { sandboxImageId }),
    revision: environment.revision,
    archived: archivedAt !== null,
    ...(archivedAt === null ? {} : { archivedAt: archivedAt.getTime() }),
    createdAt: environment.createdAt.getTime(),
    updatedAt: environment.updatedAt.getTime(),
  };
}
