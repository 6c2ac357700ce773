import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

const whileRunningMs = 5_000;
const otherwiseMs = 60_000;

/** The query of the home page. Its readers choose how often it is repeated. */
export const homeQuery = operationQuery('getHome', {});

/** Polls the home page while it is visible: often while something runs, otherwise rarely. */
export function useHome() {
  return useQuery({
    ...homeQuery,
    refetchInterval: ({ state }) =>
      (state.data?.running.total ?? 0) > 0 ? whileRunningMs : otherwiseMs,
  });
}

/** Returns the cached home page without a request. */
export function useHomeRead() {
  return useQuery({ ...homeQuery, enabled: false }).data;
}
