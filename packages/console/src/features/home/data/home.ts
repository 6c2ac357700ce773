import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

const whileRunningMs = 5_000;
const otherwiseMs = 60_000;

/** As often as its readers want it. */
export const homeQuery = operationQuery('getHome', {});

/** Read again while it is looked at: often while something runs, else now and then. */
export function useHome() {
  return useQuery({
    ...homeQuery,
    refetchInterval: ({ state }) =>
      (state.data?.running.total ?? 0) > 0 ? whileRunningMs : otherwiseMs,
  });
}

/** What was read of it already; nothing is asked for it. */
export function useHomeRead() {
  return useQuery({ ...homeQuery, enabled: false }).data;
}
