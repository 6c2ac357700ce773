/**
 * What a server offers, page by page as the server cuts it. Reading it costs the server a call, so
 * it is read once and again only when asked; a changed server is read anew.
 */
import type { ListPage, PageCursor } from '@proofmark/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { itemsRead, pagedQuery } from '../../../kit/data/paged-query.ts';
import { serversKey } from './servers.ts';

/** Where a server is found. */
export interface ServerIds {
  readonly projectId: string;
  readonly serverId: string;
}

type ReadServerPage<Item> = (
  input: ServerIds & { body: PageCursor },
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

export const useTools = (ids: ServerIds) => useServerList(ids, 'tools', client.listTools);
export const usePrompts = (ids: ServerIds) => useServerList(ids, 'prompts', client.listPrompts);
export const useResources = (ids: ServerIds) =>
  useServerList(ids, 'resources', client.listResources);
export const useResourceTemplates = (ids: ServerIds) =>
  useServerList(ids, 'resource-templates', client.listResourceTemplates);

function useServerList<Item>(
  ids: ServerIds,
  list: string,
  readPage: ReadServerPage<Item>,
): ServerList<Item> {
  const query = useInfiniteQuery({
    queryKey: [...serversKey(ids.projectId), ids.serverId, list],
    ...pagedQuery((page, signal) => readPage({ ...ids, body: page }, { signal })),
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
