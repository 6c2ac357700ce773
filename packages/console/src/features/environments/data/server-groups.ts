/** Server groups; the API calls them server attachments. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { client } from '../../../kit/data/client.ts';
import {
  useDeleteEntity,
  useEntities,
  useEntity,
  useWriteEntity,
} from '../../../kit/data/project-entities.ts';

export type ServerGroup = OutputOf<'getServerAttachment'>;

export function useServerGroups(projectId: string) {
  return useEntities<ServerGroup>(['server-groups', projectId], (page, signal) =>
    client.listServerAttachments({ projectId, ...page }, { signal }),
  );
}

export function useServerGroup(projectId: string, serverAttachmentId: string) {
  return useEntity<ServerGroup>(['server-groups', projectId, serverAttachmentId], (signal) =>
    client.getServerAttachment({ projectId, serverAttachmentId }, { signal }),
  );
}

export function useCreateServerGroup(projectId: string) {
  return useWriteEntity('server-groups', projectId, (body: BodyInputOf<'createServerAttachment'>) =>
    client.createServerAttachment({ projectId, body }),
  );
}

export function useDeleteServerGroup(
  projectId: string,
  serverAttachmentId: string,
  leave: () => Promise<void>,
) {
  return useDeleteEntity(
    'server-groups',
    projectId,
    () => client.deleteServerAttachment({ projectId, serverAttachmentId }),
    leave,
  );
}
