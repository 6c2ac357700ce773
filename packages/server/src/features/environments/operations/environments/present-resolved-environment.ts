import type { OutputOf } from '@proofmark/contract';
import type { ResolvedEnvironment } from '@proofmark/domain';

export function presentResolvedEnvironment(
  resolved: ResolvedEnvironment,
): OutputOf<'resolveEnvironment'> {
  const { client, modelId, serverAttachmentId, sandboxImageId } = resolved;
  return {
    environment: resolved.environment,
    hostId: client.id,
    hostName: client.name,
    hostConfigId: client.configId,
    config: client.config,
    ...(modelId === undefined ? {} : { modelId }),
    effectiveModelId: resolved.effectiveModelId,
    modelSource: resolved.modelSource,
    ...(serverAttachmentId === undefined ? {} : { serverAttachmentId }),
    ...(sandboxImageId === undefined ? {} : { sandboxImageId }),
    selectedServerIds: [...resolved.selectedServerIds],
    effectiveServerIds: [...resolved.effectiveServerIds],
    pluginVersions: [...resolved.pluginVersions],
    skills: [...resolved.skills],
    servers: [...resolved.servers],
  };
}
