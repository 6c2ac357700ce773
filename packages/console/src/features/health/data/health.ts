import { useQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

/** Asked again and again: whoever looks at it waits for something to change. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.getHealth({}, { signal }),
    refetchInterval: 5000,
  });
}
