/** What is told of the tools that models were shown. */
import type { EvalRun } from '@proofmark/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import type { ServerIds } from '../../servers/data/server-lists.ts';
import { serversKey } from '../../servers/data/servers.ts';
import { type RunIds, runKey } from './eval-runs.ts';

export function useRunLint(ids: RunIds) {
  return useQuery({
    queryKey: [...runKey(ids), 'lint'],
    queryFn: ({ signal }) => client.getEvalRunLint(ids, { signal }),
  });
}

/** Costs the server a call, so it is read once and again only when asked. */
export function useServerLint(ids: ServerIds) {
  return useQuery({
    queryKey: [...serversKey(ids.projectId), ids.serverId, 'lint'],
    queryFn: ({ signal }) => client.lintServer({ ...ids, body: {} }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** How the tools of a run that failed differ from those of the run before; nothing where there is none. */
export function useRunSurface(ids: RunIds, run: FailedRun) {
  return useQuery({ ...runSurfaceQuery(ids), enabled: isExplainedByTools(run) });
}

type FailedRun = Pick<EvalRun, 'verdict' | 'source'>;

export function isExplainedByTools({ verdict, source }: FailedRun): boolean {
  return verdict === 'failed' && source !== 'sdk';
}

export function runSurfaceQuery(ids: RunIds) {
  return queryOptions({
    queryKey: [...runKey(ids), 'surface'],
    queryFn: ({ signal }) => client.getEvalRunSurface(ids, { signal }).catch(() => null),
  });
}
