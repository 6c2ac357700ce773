import type { OutputOf } from '@proofmark/contract';
import type { ResolvedEnvironment } from '@proofmark/domain';
import * as rules from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { refuseUnreadablePart } from '../../../../platform/operations/refuse-unreadable-part.ts';
import { readEnvironmentParts } from '../../store/environment-parts.ts';
import { findEnvironment } from './find-environment.ts';

export const resolveEnvironment: Action<'resolveEnvironment'> = async (context, { params }) => {
  const parts = await context.tenant(async (sql) => {
    // The lock prevents an edit between the reads, so that all parts belong to one revision.
    const found = await findEnvironment(sql, context.project.id, params.environmentId, 'forShare');
    return readEnvironmentParts(sql, found);
  });
  refuseUnreadablePart(parts);
  const outcome = rules.resolveEnvironment(parts);
  if ('conflict' in outcome) return refuse(rules.environmentConflictRefusal(outcome));
  return presentResolvedEnvironment(outcome.resolved);
};

function presentResolvedEnvironment(resolved: ResolvedEnvironment): OutputOf<'resolveEnvironment'> {
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
