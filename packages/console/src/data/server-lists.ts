/**
 * What a server offers, page by page as the server cuts it. Reading it costs the server a call, so
 * it is read once and again only when asked; a changed server is read anew.
 */
import type { OutputOf } from '@proofmark/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { serversKey } from './servers.ts';

export type Tool = OutputOf<'listTools'>['items'][number];
export type Prompt = OutputOf<'listPrompts'>['items'][number];
export type Resource = OutputOf<'listResources'>['items'][number];
export type ResourceTemplate = OutputOf<'listResourceTemplates'>['items'][number];

/** Where a server is found. */
export interface ServerPlace {
  readonly projectId: string;
  readonly serverId: string;
}

interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor?: string | undefined;
}

type ReadPage<Item> = (
  input: ServerPlace & { body: { cursor?: string } },
  options: { signal: AbortSignal },
) => Promise<Page<Item>>;

export interface ServerList<Item> {
  readonly items: readonly Item[] | undefined;
  readonly error: Error | null;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readMore(): void;
  readAgain(): void;
}

export const useTools = (place: ServerPlace) => useServerList(place, 'tools', client.listTools);
export const usePrompts = (place: ServerPlace) =>
  useServerList(place, 'prompts', client.listPrompts);
export const useResources = (place: ServerPlace) =>
  useServerList(place, 'resources', client.listResources);
export const useResourceTemplates = (place: ServerPlace) =>
  useServerList(place, 'resource-templates', client.listResourceTemplates);

function useServerList<Item>(
  place: ServerPlace,
  list: string,
  readPage: ReadPage<Item>,
): ServerList<Item> {
  const query = useInfiniteQuery({
    queryKey: [...serversKey(place.projectId), place.serverId, list],
    queryFn: ({ pageParam, signal }) =>
      readPage({ ...place, body: pageParam === '' ? {} : { cursor: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last: Page<Item>) => last.nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retryOnMount: false,
  });
  return {
    items: query.data?.pages.flatMap((page) => page.items),
    error: query.error,
    isReading: query.isFetching,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    readAgain: () => void query.refetch(),
  };
}
