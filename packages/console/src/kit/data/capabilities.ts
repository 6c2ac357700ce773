import { grouped } from '@proofmark/domain';
import { useOperation } from './operations.ts';

/** Why no widget can be shown where trials are run; null where one can, and while nobody knows. */
export function useNoWidgets(projectId: string): string | null {
  return useOperation('getProjectCapabilities', { projectId }).data?.widgets.reason ?? null;
}

/** How many trials may still begin today, in words; nothing where nothing limits them. */
export function useTrialsLeft(projectId: string): string | undefined {
  const { data } = useOperation('getProjectCapabilities', { projectId });
  const allowed = data?.plan.limits['trialsPerDay'];
  if (typeof allowed !== 'number') return undefined;
  const used = Number(data?.plan.used?.['trialsPerDay'] ?? 0);
  return `${grouped(Math.max(0, allowed - used))} of ${grouped(allowed)} trials of today.`;
}
