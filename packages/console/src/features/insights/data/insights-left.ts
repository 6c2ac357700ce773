import { useOperation } from '../../../kit/data/operations.ts';

/** What asking counts against, in words; nothing where nothing limits it. */
export function useInsightsLeft(projectId: string): string | undefined {
  const { data } = useOperation('getProjectCapabilities', { projectId });
  const allowed = data?.plan.limits['insightsPerDay'];
  if (typeof allowed !== 'number') return undefined;
  return `${data?.plan.used?.['insightsPerDay'] ?? 0} of ${allowed} used today in this organization.`;
}
