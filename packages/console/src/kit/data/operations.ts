/**
 * Reading and changing, derived from the rows of the contract: an answer is kept under its address, and a change reads
 * again what its address makes stale.
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

/** What of a reading its page may choose. */
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
  /** It is read anew when this changes. */
  readonly asOf?: unknown;
};

function callOf<Id extends OperationId>(operation: Id): Call<Id> {
  return client[operation] as unknown as Call<Id>;
}

/** One answer of an operation that reads. */
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

/** A list, read to its end. */
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

/** A list as far as somebody reads on. */
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

/** A form starts from this answer: it is read anew for each form, and not again while somebody types. */
export const forForm = { refetchOnWindowFocus: false, gcTime: 0 } as const;

/** It costs somebody else a call, so it is read once, and again only when somebody asks. */
export const readOnce = { staleTime: Number.POSITIVE_INFINITY } as const;

/** Read again while something of it goes on, less often the longer it takes. */
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
// A change without a body is made by `mutate()`, which only `void` allows.
// biome-ignore lint/suspicious/noConfusingVoidType: see above.
type Body<Id extends OperationId> = BodyInputOf<Id> extends undefined ? void : BodyInputOf<Id>;

export interface ChangeOptions {
  /** What is read again (default: the lists of its resource). */
  readonly readAgain?: readonly AddressKey[];
  /** Goes to another page first: the page that stands must not read what is gone. */
  readonly leave?: (() => Promise<void>) | undefined;
  /** 0: what was sent or answered is a secret, and is kept no longer than what shows it. */
  readonly gcTime?: 0;
}

/** A change by an operation: its body is what is sent, or the whole input is made from what is sent. */
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

/** Several requests that are one change. */
export function useSeveral<Sent, Answer>(
  change: (sent: Sent) => Promise<Answer>,
  stale: readonly AddressKey[],
  options: {
    /** Some of the requests may have been taken before one failed (default: nothing is read again then). */
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

/** A list that the next page shows has not got it any more, even before it is read again. */
function dropFrom(cache: QueryClient, queryKey: AddressKey, id: unknown): void {
  cache.setQueriesData({ queryKey }, (list: unknown) =>
    Array.isArray(list) ? list.filter((one) => one.id !== id) : list,
  );
}

/** Puts what was just read or written where its page finds it. */
export function useKeep<Id extends OperationId>(operation: Id, input: InputOf<Id>) {
  const cache = useQueryClient();
  return (answer: OutputOf<Id>) => cache.setQueryData(keyOf(operation, input), answer);
}

/** The same for a list that is read page by page. */
export function pollPagesWhile<Item>(isUnderWay: (item: Item) => boolean) {
  return pollWhile<{ readonly pages: readonly ListPage<Item>[] }>(({ pages }) =>
    pages.some(({ items }) => items.some(isUnderWay)),
  );
}
