import { grouped } from '@proofmark/domain';
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

/** Why no widget can be shown where trials are run; null where one can, and while nobody knows. */
export function useNoWidgets(projectId: string): string | null {
  return useCapabilities(projectId).data?.widgets.reason ?? null;
}

/** How many trials may still begin today, in words; nothing where nothing limits them. */
export function useTrialsLeft(projectId: string): string | undefined {
  const { data } = useCapabilities(projectId);
  const allowed = data?.plan.limits['trialsPerDay'];
  if (typeof allowed !== 'number') return undefined;
  const used = Number(data?.plan.used?.['trialsPerDay'] ?? 0);
  return `${grouped(Math.max(0, allowed - used))} of ${grouped(allowed)} trials of today.`;
}
