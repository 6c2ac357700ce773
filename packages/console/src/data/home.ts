import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

const whileRunningMs = 5_000;
const otherwiseMs = 60_000;

/** Read again while it is looked at: often while something runs, else now and then. */
export function useHome() {
  return useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => client.getHome({}, { signal }),
    refetchInterval: ({ state }) =>
      (state.data?.running.total ?? 0) > 0 ? whileRunningMs : otherwiseMs,
  });
}

/** What was read of it already; nothing is asked for it. */
export function useHomeRead() {
  return useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => client.getHome({}, { signal }),
    enabled: false,
  }).data;
}
