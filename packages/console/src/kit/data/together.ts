/** Combines several queries. The result has data only if every query has data. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

export function together<All extends Readonly<Record<string, Query<unknown>>>>(queries: All) {
  const all = Object.values(queries);
  const isThere = all.every(({ data }) => data !== undefined);
  type Data = { [Name in keyof All]: NonNullable<All[Name]['data']> };
  return {
    data: isThere
      ? (Object.fromEntries(
          Object.entries(queries).map(([name, { data }]) => [name, data]),
        ) as Data)
      : undefined,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const query of all) void query.refetch();
    },
  };
}
