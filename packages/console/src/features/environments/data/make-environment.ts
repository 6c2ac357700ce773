/**
 * Creates an environment with its missing parts: a new client with the built-in model and the
 * chosen servers, or a server group for an existing client. If the environment is rejected, these
 * parts are deleted again.
 */
import type { ProjectEnvironment } from '@proofmark/contract';
import { lexicalModelId } from '@proofmark/domain';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useSeveral } from '../../../kit/data/operations.ts';
import type { EnvironmentContent } from '../environment-draft.ts';

export interface EnvironmentRequest {
  /** `hostId` is the id of the client. It is absent if a new client is created. */
  readonly content: Omit<EnvironmentContent, 'hostId'> & { readonly hostId?: string };
  readonly isNewClient: boolean;
  readonly serverIds: readonly string[];
}

export function useMakeEnvironment(projectId: string) {
  return useSeveral(
    (request: EnvironmentRequest) => makeEnvironment(projectId, request),
    [
      allBelow('listEnvironments', { projectId }),
      allBelow('listClients', { projectId }),
      allBelow('listServerAttachments', { projectId }),
    ],
  );
}

export async function makeEnvironment(
  projectId: string,
  { content, isNewClient, serverIds }: EnvironmentRequest,
): Promise<ProjectEnvironment> {
  const { name } = content;
  if (isNewClient) {
    const config = { modelId: lexicalModelId, serverIds: [...serverIds] };
    const made = await client.createClient({ projectId, body: { name, config } });
    return orUndo(
      client.createEnvironment({ projectId, body: { ...content, hostId: made.id } }),
      () => client.deleteClient({ projectId, client: made.id }),
    );
  }
  const { hostId = '' } = content;
  if (serverIds.length === 0) {
    return client.createEnvironment({ projectId, body: { ...content, hostId } });
  }
  const body = { name, serverIds: [...serverIds] };
  const group = await client.createServerAttachment({ projectId, body });
  return orUndo(
    client.createEnvironment({
      projectId,
      body: { ...content, hostId, serverAttachmentId: group.id },
    }),
    () => client.deleteServerAttachment({ projectId, serverAttachmentId: group.id }),
  );
}

async function orUndo<Made>(making: Promise<Made>, undo: () => Promise<unknown>): Promise<Made> {
  try {
    return await making;
  } catch (error) {
    await undo().catch(() => undefined);
    throw error;
  }
}
