import type { BodyInputOf, Client, ClientDetail } from '@proofmark/contract';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import {
  useDeleteEntity,
  useEntities,
  useEntity,
  useWriteEntity,
} from '../../../kit/data/project-entities.ts';

export interface ClientIds {
  readonly projectId: string;
  readonly clientId: string;
}

export function useClients(projectId: string) {
  return useEntities<Client>(['clients', projectId], (page, signal) =>
    client.listClients({ projectId, ...page }, { signal }),
  );
}

export function useClient({ projectId, clientId }: ClientIds) {
  return useEntity<ClientDetail>(['clients', projectId, clientId], (signal) =>
    client.getClient({ projectId, client: clientId }, { signal }),
  );
}

/** As it is now, past the cache. */
export function readClient({ projectId, clientId }: ClientIds): Promise<ClientDetail> {
  return client.getClient({ projectId, client: clientId });
}

export function useCreateClient(projectId: string) {
  return useWriteEntity('clients', projectId, (body: BodyInputOf<'createClient'>) =>
    client.createClient({ projectId, body }),
  );
}

export function useUpdateClient({ projectId, clientId }: ClientIds) {
  return useWriteEntity('clients', projectId, (body: BodyInputOf<'updateClient'>) =>
    client.updateClient({ projectId, client: clientId, body }),
  );
}

export function useDuplicateClient({ projectId, clientId }: ClientIds) {
  return useWriteEntity('clients', projectId, (body: BodyInputOf<'duplicateClient'>) =>
    client.duplicateClient({ projectId, client: clientId, body }),
  );
}

export function useDeleteClient(ids: ClientIds, leave: () => Promise<void>) {
  const { projectId, clientId } = ids;
  return useDeleteEntity(
    'clients',
    projectId,
    () => client.deleteClient({ projectId, client: clientId }),
    leave,
  );
}

/** Puts a client that was just read or written where its page finds it. */
export function useKeepClient({ projectId, clientId }: ClientIds) {
  const cache = useQueryClient();
  return (detail: ClientDetail) => cache.setQueryData(['clients', projectId, clientId], detail);
}
