/**
 * Queries and changes, derived from the operations of the contract. An answer is cached under its
 * address; a change reloads the cached answers that its address makes stale.
 */
import {
  firstPage,
  type InputOf,
  type ListPage,
  type PageCursor,
  pageAfter,
  readAllPages,
} from '@proofmark/client';
import type { BodyInputOf, IsPaged, OperationId, OutputOf } from '@proofmark/contract';
import { pollDelayMs } from '@proofmark/domain';
import {
  type QueryClient,
  type UseInfiniteQueryOptions,
  type UseMutationResult,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type AddressKey, allBelow, keyOf, listsOf } from './address-key.ts';
import { client } from './client.ts';

type Call<Id extends OperationId> = (
  input: InputOf<Id>,
  options?: { readonly signal?: AbortSignal },
) => Promise<OutputOf<Id>>;

export type PagedId = {
  [Id in OperationId]: IsPaged<Id> extends true ? Id : never;
}[OperationId];

export type ItemOf<Id extends PagedId> =
  OutputOf<Id> extends { items: readonly (infer Item)[] } ? Item : never;

/** The query options that a page may set. */
type Reading<Data> = Partial<
  Pick<
    UseQueryOptions<Data, Error, Data, AddressKey>,
    | 'enabled'
    | 'gcTime'
    | 'placeholderData'
    | 'refetchInterval'
    | 'refetchOnWindowFocus'
    | 'retry'
    | 'staleTime'
  >
> & {
  /** An addition to the cache key: the query is loaded again when this value changes. */
  readonly asOf?: unknown;
};

function callOf<Id extends OperationId>(operation: Id): Call<Id> {
  return client[operation] as unknown as Call<Id>;
}

/** Returns the query options for a reading operation. */
export function operationQuery<Id extends OperationId>(operation: Id, input: InputOf<Id>) {
  return {
    queryKey: keyOf(operation, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => callOf(operation)(input, { signal }),
  };
}

export function useOperation<Id extends OperationId>(
  operation: Id,
  input: InputOf<Id>,
  { asOf, ...options }: Reading<OutputOf<Id>> = {},
) {
  const query = operationQuery(operation, input);
  return useQuery<OutputOf<Id>, Error, OutputOf<Id>, AddressKey>({
    ...query,
    ...(asOf !== undefined && { queryKey: [...query.queryKey, asOf] }),
    ...options,
  });
}

/** Loads all pages of a list and returns them as one. */
export function useWholeList<Id extends PagedId>(
  operation: Id,
  input: InputOf<Id>,
  options?: Omit<Reading<ItemOf<Id>[]>, 'asOf'>,
) {
  return useQuery<ItemOf<Id>[], Error, ItemOf<Id>[], AddressKey>({
    queryKey: [...keyOf(operation, input), 'all'],
    queryFn: ({ signal }) =>
      readAllPages((page) => readPage(operation, { ...input, ...page }, signal)),
    ...options,
  });
}

/** Returns a list whose next page is loaded when the reader asks for it. */
export function usePages<Id extends PagedId>(
  operation: Id,
  input: InputOf<Id>,
  options: PagesOptions<ItemOf<Id>> = {},
) {
  return useInfiniteQuery({
    queryKey: [...keyOf(operation, input), 'pages'],
    initialPageParam: firstPage,
    queryFn: ({ pageParam, signal }) => readPage(operation, { ...input, ...pageParam }, signal),
    getNextPageParam: (last) => pageAfter(last),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    ...options,
  });
}

type PagesOptions<Item> = Partial<
  Pick<
    UseInfiniteQueryOptions<ListPage<Item>, Error, Item[], AddressKey, PageCursor>,
    'enabled' | 'placeholderData' | 'refetchInterval' | 'staleTime'
  >
>;

function readPage<Id extends PagedId>(operation: Id, input: InputOf<Id>, signal: AbortSignal) {
  return callOf(operation)(input, { signal }) as Promise<ListPage<ItemOf<Id>>>;
}

/**
 * Options for the answer that a form starts with: it is loaded once for each form, so that no
 * reload interferes with typing.
 */
export const forForm = { refetchOnWindowFocus: false, gcTime: 0 } as const;

/**
 * Options for an answer that costs a call of an external service: it is loaded once, and again only
 * on request.
 */
export const readOnce = { staleTime: Number.POSITIVE_INFINITY } as const;

/** Polls while the work in the answer is unfinished, at growing intervals. */
export function pollWhile<Data>(isUnderWay: (data: Data) => boolean) {
  return ({ state }: { state: Polled<Data> }): number | false =>
    state.data !== undefined && isUnderWay(state.data)
      ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
      : false;
}

interface Polled<Data> {
  readonly data: Data | undefined;
  readonly dataUpdateCount: number;
  readonly errorUpdateCount: number;
}

export type WithoutBody<Id extends OperationId> = Omit<InputOf<Id>, 'body' | 'idempotencyKey'>;
// A change without a body is called as `mutate()`; TypeScript allows the missing argument only for
// `void`.
// biome-ignore lint/suspicious/noConfusingVoidType: see above.
type Body<Id extends OperationId> = BodyInputOf<Id> extends undefined ? void : BodyInputOf<Id>;

export interface ChangeOptions {
  /** The keys to reload (default: the lists of the resource). */
  readonly readAgain?: readonly AddressKey[];
  /**
   * Opens another page before the reload, since the current page would reload a resource that the
   * change deleted.
   */
  readonly leave?: (() => Promise<void>) | undefined;
  /**
   * 0 if the request or the answer is a secret: the cache then removes it as soon as its component
   * is unmounted.
   */
  readonly gcTime?: 0;
}

/**
 * Returns a change by one operation. If `input` is an object, the argument of the change is the
 * body; if `input` is a function, it converts the argument into the whole input.
 */
export function useChange<Id extends OperationId>(
  operation: Id,
  input: WithoutBody<Id>,
  options?: ChangeOptions,
): UseMutationResult<OutputOf<Id>, Error, Body<Id>>;
export function useChange<Id extends OperationId, Sent>(
  operation: Id,
  input: (sent: Sent) => InputOf<Id>,
  options?: ChangeOptions,
): UseMutationResult<OutputOf<Id>, Error, Sent>;
export function useChange<Id extends OperationId, Sent>(
  operation: Id,
  input: WithoutBody<Id> | ((sent: Sent) => InputOf<Id>),
  options: ChangeOptions = {},
) {
  const cache = useQueryClient();
  const inputOf = (sent: Sent) =>
    (typeof input === 'function'
      ? input(sent)
      : { ...input, ...(sent !== undefined && { body: sent }) }) as InputOf<Id>;
  return useMutation({
    mutationFn: (sent: Sent) => callOf(operation)(inputOf(sent)),
    onSuccess: async (_, sent) => {
      const lists = listsOf(operation, inputOf(sent));
      await options.leave?.();
      if (options.leave) dropFrom(cache, lists, allBelow(operation, inputOf(sent)).at(-1));
      await readAgain(cache, options.readAgain ?? [lists]);
    },
    ...(options.gcTime !== undefined && { gcTime: options.gcTime }),
  });
}

/** Returns a change that consists of several requests. */
export function useSeveral<Sent, Answer>(
  change: (sent: Sent) => Promise<Answer>,
  stale: readonly AddressKey[],
  options: {
    /**
     * Whether some requests may have succeeded before a failure, so that a failure reloads too
     * (default: it does not).
     */
    readonly isPartly?: true;
  } = {},
) {
  const cache = useQueryClient();
  const again = () => readAgain(cache, stale);
  return useMutation({
    mutationFn: change,
    ...(options.isPartly ? { onSettled: again } : { onSuccess: again }),
  });
}

export async function readAgain(cache: QueryClient, keys: readonly AddressKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
}

/**
 * Removes a deleted item from cached lists, so that the next page does not show it before the
 * reload.
 */
function dropFrom(cache: QueryClient, queryKey: AddressKey, id: unknown): void {
  cache.setQueriesData({ queryKey }, (list: unknown) =>
    Array.isArray(list) ? list.filter((one) => one.id !== id) : list,
  );
}

/**
 * Returns a function that stores an answer in the cache, under the address of the given operation.
 */
export function useKeep<Id extends OperationId>(operation: Id, input: InputOf<Id>) {
  const cache = useQueryClient();
  return (answer: OutputOf<Id>) => cache.setQueryData(keyOf(operation, input), answer);
}

/** Does the same as `pollWhile`, for a list that is loaded page by page. */
export function pollPagesWhile<Item>(isUnderWay: (item: Item) => boolean) {
  return pollWhile<{ readonly pages: readonly ListPage<Item>[] }>(({ pages }) =>
    pages.some(({ items }) => items.some(isUnderWay)),
  );
}
