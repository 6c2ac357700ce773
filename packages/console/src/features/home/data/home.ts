import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

const whileRunningMs = 5_000;
const otherwiseMs = 60_000;

/** Each component that uses this query decides how often it is polled. */
export const homeQuery = operationQuery('getHome', {});

/** Polls while the page is visible: every 5 seconds during a run, otherwise every 60 seconds. */
export function useHome(projectId?: string) {
  return useQuery({
    ...(projectId === undefined ? homeQuery : operationQuery('getHome', { projectId })),
    refetchInterval: ({ state }) =>
      (state.data?.running.total ?? 0) > 0 ? whileRunningMs : otherwiseMs,
  });
}

export function useHomeRead() {
  return useQuery({ ...homeQuery, enabled: false }).data;
}
