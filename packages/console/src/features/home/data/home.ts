import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

const whileRunningMs = 5_000;
const otherwiseMs = 60_000;

/** The query of the home page. The components that use it decide how often it is polled. */
export const homeQuery = operationQuery('getHome', {});

/**
 * Polls the home page's data while the page is visible: every 5 seconds while a run is in progress,
 * otherwise every 60 seconds.
 */
/** `projectId`: of this project alone. */
export function useHome(projectId?: string) {
  return useQuery({
    ...(projectId === undefined ? homeQuery : operationQuery('getHome', { projectId })),
    refetchInterval: ({ state }) =>
      (state.data?.running.total ?? 0) > 0 ? whileRunningMs : otherwiseMs,
  });
}

/** Returns the data of the home page if it is in the cache, without a request. */
export function useHomeRead() {
  return useQuery({ ...homeQuery, enabled: false }).data;
}
