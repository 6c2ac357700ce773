import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

/** What the organization of a project may do and how much of it is used today. */
export function useCapabilities(projectId: string) {
  return useQuery({
    queryKey: capabilitiesKey(projectId),
    queryFn: ({ signal }) => client.getProjectCapabilities({ projectId }, { signal }),
  });
}

export function capabilitiesKey(projectId: string) {
  return ['capabilities', projectId] as const;
}
