/**
 * Queries and changes, derived from the contract's operations. A response is cached under its
 * address. A change reloads the cached lists of the changed resource.
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
  /** An additional part of the cache key. A new value reloads the query. */
  readonly asOf?: unknown;
};

function callOf<Id extends OperationId>(operation: Id): Call<Id> {
  return client[operation] as unknown as Call<Id>;
}

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
 * Options for a response that fills a form. It is loaded once per form, because a reload would
 * interfere with typing.
 */
export const forForm = { refetchOnWindowFocus: false, gcTime: 0 } as const;

/**
 * Options for a response that costs a call of an external service. It is loaded once; later loads
 * happen only on request.
 */
export const readOnce = { staleTime: Number.POSITIVE_INFINITY } as const;

/** Polls at growing intervals while `isUnderWay` returns true for the response. */
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
  /** Cache keys to reload (default: the lists of the resource). */
  readonly readAgain?: readonly AddressKey[];
  /**
   * Opens another page before the reload. The current page would otherwise request the deleted
   * resource.
   */
  readonly leave?: (() => Promise<void>) | undefined;
  /**
   * 0 if the request or the response contains a secret. The cache then drops the secret when the
   * component is unmounted.
   */
  readonly gcTime?: 0;
}

/**
 * If `input` is an object, the caller passes only the body. If `input` is a function, it converts
 * the caller's argument to the whole input.
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

export function useSeveral<Sent, Answer>(
  change: (sent: Sent) => Promise<Answer>,
  stale: readonly AddressKey[],
  options: {
    /**
     * Whether some of the requests may succeed before one fails. The lists are then reloaded after
     * a failure too.
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

export function useKeep<Id extends OperationId>(operation: Id, input: InputOf<Id>) {
  const cache = useQueryClient();
  return (answer: OutputOf<Id>) => cache.setQueryData(keyOf(operation, input), answer);
}

export function pollPagesWhile<Item>(isUnderWay: (item: Item) => boolean) {
  return pollWhile<{ readonly pages: readonly ListPage<Item>[] }>(({ pages }) =>
    pages.some(({ items }) => items.some(isUnderWay)),
  );
}
