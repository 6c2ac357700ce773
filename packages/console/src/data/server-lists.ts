/**
 * What a server offers, page by page as the server cuts it. Reading it costs the server a call, so
 * it is read once and again only when asked; a changed server is read anew.
 */
import type { ListPage, PageCursor } from '@proofmark/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { itemsRead, pagedQuery } from './paged-query.ts';
import { serversKey } from './servers.ts';

/** Where a server is found. */
export interface ServerLocation {
  readonly projectId: string;
  readonly serverId: string;
}

type ReadServerPage<Item> = (
  input: ServerLocation & { body: PageCursor },
  options: { signal: AbortSignal },
) => Promise<ListPage<Item>>;

export interface ServerList<Item> {
  readonly items: readonly Item[] | undefined;
  readonly error: Error | null;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readMore(): void;
  readAgain(): void;
}

export const useTools = (place: ServerLocation) => useServerList(place, 'tools', client.listTools);
export const usePrompts = (place: ServerLocation) =>
  useServerList(place, 'prompts', client.listPrompts);
export const useResources = (place: ServerLocation) =>
  useServerList(place, 'resources', client.listResources);
export const useResourceTemplates = (place: ServerLocation) =>
  useServerList(place, 'resource-templates', client.listResourceTemplates);

function useServerList<Item>(
  place: ServerLocation,
  list: string,
  readPage: ReadServerPage<Item>,
): ServerList<Item> {
  const query = useInfiniteQuery({
    queryKey: [...serversKey(place.projectId), place.serverId, list],
    ...pagedQuery((page, signal) => readPage({ ...place, body: page }, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retryOnMount: false,
  });
  return {
    items: query.data && itemsRead(query.data),
    error: query.error,
    isReading: query.isFetching,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    readAgain: () => void query.refetch(),
  };
}
