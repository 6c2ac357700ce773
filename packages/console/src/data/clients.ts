import type { BodyInputOf, Client, ClientDetail } from '@proofmark/contract';
import { useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import { useDeleteThing, useThing, useThings, useWriteThing } from './project-things.ts';

export interface ClientLocation {
  readonly projectId: string;
  readonly clientId: string;
}

export function useClients(projectId: string) {
  return useThings<Client>(['clients', projectId], (page, signal) =>
    client.listClients({ projectId, ...page }, { signal }),
  );
}

export function useClient({ projectId, clientId }: ClientLocation) {
  return useThing<ClientDetail>(['clients', projectId, clientId], (signal) =>
    client.getClient({ projectId, client: clientId }, { signal }),
  );
}

/** As it is now, past the cache. */
export function readClient({ projectId, clientId }: ClientLocation): Promise<ClientDetail> {
  return client.getClient({ projectId, client: clientId });
}

export function useCreateClient(projectId: string) {
  return useWriteThing('clients', projectId, (body: BodyInputOf<'createClient'>) =>
    client.createClient({ projectId, body }),
  );
}

export function useUpdateClient({ projectId, clientId }: ClientLocation) {
  return useWriteThing('clients', projectId, (body: BodyInputOf<'updateClient'>) =>
    client.updateClient({ projectId, client: clientId, body }),
  );
}

export function useDuplicateClient({ projectId, clientId }: ClientLocation) {
  return useWriteThing('clients', projectId, (body: BodyInputOf<'duplicateClient'>) =>
    client.duplicateClient({ projectId, client: clientId, body }),
  );
}

export function useDeleteClient(place: ClientLocation, leave: () => Promise<void>) {
  const { projectId, clientId } = place;
  return useDeleteThing(
    'clients',
    projectId,
    () => client.deleteClient({ projectId, client: clientId }),
    leave,
  );
}

/** Puts a client that was just read or written where its page finds it. */
export function useKeepClient({ projectId, clientId }: ClientLocation) {
  const cache = useQueryClient();
  return (detail: ClientDetail) => cache.setQueryData(['clients', projectId, clientId], detail);
}
