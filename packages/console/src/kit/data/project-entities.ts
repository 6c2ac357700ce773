/** How pages read and write what a project holds: one list and its items under one name in the cache. */
import { type ListPage, type PageCursor, readAllPages } from '@proofmark/client';
import { pollDelayMs } from '@proofmark/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

export type EntityKind =
  | 'clients'
  | 'environments'
  | 'server-groups'
  | 'skills'
  | 'plugins'
  | 'eval-suites'
  | 'personas'
  | 'swarms'
  | 'journeys';

export function useEntities<Item>(
  key: readonly [EntityKind, string, ...unknown[]],
  readPage: (page: PageCursor, signal: AbortSignal) => Promise<ListPage<Item>>,
  /** Whether the list changes by itself, and is read again. */
  isUnderWay: (items: readonly Item[]) => boolean = () => false,
) {
  return useQuery({
    queryKey: [...key.slice(0, 2), 'list', ...key.slice(2)],
    queryFn: ({ signal }) => readAllPages((page) => readPage(page, signal)),
    refetchInterval: ({ state }) =>
      isUnderWay(state.data ?? []) ? pollDelayMs(state.dataUpdateCount) : false,
  });
}

export function useEntity<Item>(
  key: readonly [EntityKind, string, string],
  read: (signal: AbortSignal) => Promise<Item>,
) {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    // A form starts from this answer: it is read anew for each form, and not again while somebody types.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

/** Lists are read again after a write. The item that was written is what the answer says it is. */
export function useWriteEntity<Input, Output extends { id: string }>(
  kind: EntityKind,
  projectId: string,
  write: (input: Input) => Promise<Output>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => void cache.invalidateQueries({ queryKey: [kind, projectId, 'list'] }),
  });
}

/** `leave` goes to another page first: the one that stands must not read what is gone. */
export function useDeleteEntity(
  kind: EntityKind,
  projectId: string,
  remove: () => Promise<unknown>,
  leave: () => Promise<void>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await leave();
      await cache.invalidateQueries({ queryKey: [kind, projectId, 'list'] });
    },
  });
}
