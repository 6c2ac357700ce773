import { basePaths, type Operation } from '@proofmark/contract';

export function requestUrl(
  baseUrl: string,
  row: Operation,
  values: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? 'missing')),
  );
  const needed = neededParameters(row).map((name) => [name, String(values[name] ?? 'missing')]);
  const all = new URLSearchParams([...needed, ...Object.entries(query)] as [string, string][]);
  const search = all.size === 0 ? '' : `?${all}`;
  return baseUrl + basePaths[row.surface] + path + search;
}

function neededParameters({ query }: Operation): string[] {
  return Object.entries(query?.shape ?? {}).flatMap(([name, shape]) =>
    (shape as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success
      ? []
      : [name],
  );
}
