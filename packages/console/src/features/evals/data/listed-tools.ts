/**
 * The tools of several servers. Reading a list costs a call of the server, so each is read once
 * while forms that need it are used.
 */
import { readPages } from '@proofmark/client';
import { useQueries } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import type { NamedServer } from '../suites/case-form.ts';
import type { Listed } from '../suites/listed-fields.ts';

const mostPages = 10;

/** Servers that cannot be read leave the tools unknown, so that a form takes any name. */
export function useListedOf(projectId: string, servers: readonly NamedServer[]): Listed {
  const lists = useQueries({
    queries: servers.map(({ id: serverId }) => ({
      queryKey: [...keyOf('listTools', { projectId, serverId }), 'of a form'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readPages(
          (page) => client.listTools({ projectId, serverId, body: page }, { signal }),
          mostPages,
        ),
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: false,
    })),
  });
  const isKnown = lists.every(({ data }) => data?.isAll === true);
  return {
    servers: servers.map(({ name }) => name),
    isReading: lists.some(({ isPending }) => isPending),
    tools: isKnown
      ? lists.flatMap(({ data }, at) =>
          (data?.items ?? []).map(({ name, inputSchema }) => ({
            serverName: servers[at]?.name ?? '',
            name,
            inputSchema,
          })),
        )
      : undefined,
  };
}
