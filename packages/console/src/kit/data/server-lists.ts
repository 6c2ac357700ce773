/**
 * Tools, prompts and resources that a server lists, page by page. Loading calls the server, so a
 * list is loaded once. It is reloaded only on request or after a change of the saved server.
 */
import { firstPage, type ListPage, type PageCursor, pageAfter } from '@proofmark/client';
import type { ExcludedTool } from '@proofmark/domain';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { keyOf } from './address-key.ts';
import { client } from './client.ts';

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

export const useTools = (ids: ServerIds) => useServerList(ids, 'listTools', client.listTools);
/** Returns the excluded tools of the pages that `useTools` has read. */
export const useExcludedTools = (ids: ServerIds): readonly ExcludedTool[] => {
  const { data } = useInfiniteQuery({
    ...listQuery(ids, 'listTools', client.listTools, true),
    select: ({ pages }) => pages.flatMap(({ excludedTools = [] }) => excludedTools),
  });
  return data ?? noTools;
};
/** Returns the tools only if they are already in the cache. This hook never calls the server. */
export const useListedTools = (ids: ServerIds) =>
  useServerList(ids, 'listTools', client.listTools, false).items;
export const usePrompts = (ids: ServerIds) => useServerList(ids, 'listPrompts', client.listPrompts);
export const useResources = (ids: ServerIds) =>
  useServerList(ids, 'listResources', client.listResources);
export const useResourceTemplates = (ids: ServerIds) =>
  useServerList(ids, 'listResourceTemplates', client.listResourceTemplates);

type ListName = 'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates';
const noTools: readonly ExcludedTool[] = [];

function listQuery<Page extends ListPage<unknown>>(
  ids: ServerIds,
  list: ListName,
  readPage: (
    input: ServerIds & { body: PageCursor },
    options: { signal: AbortSignal },
  ) => Promise<Page>,
  isRead: boolean,
) {
  return infiniteQueryOptions({
    enabled: isRead,
    queryKey: keyOf(list, ids),
    initialPageParam: firstPage,
    queryFn: ({ pageParam, signal }) => readPage({ ...ids, body: pageParam }, { signal }),
    getNextPageParam: (last: Page) => pageAfter(last),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retryOnMount: false,
  });
}

function useServerList<Item>(
  ids: ServerIds,
  list: ListName,
  readPage: ReadServerPage<Item>,
  isRead = true,
): ServerList<Item> {
  const query = useInfiniteQuery({
    ...listQuery(ids, list, readPage, isRead),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
  return {
    items: query.data,
    error: query.error,
    isReading: query.isFetching,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    readAgain: () => void query.refetch(),
  };
}
