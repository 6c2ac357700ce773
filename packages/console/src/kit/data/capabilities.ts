import { grouped } from '@proofmark/domain';
import { useOperation } from './operations.ts';

/**
 * Returns the reason why trials cannot render widgets. Null if they can, or until the response is
 * loaded.
 */
export function useNoWidgets(projectId: string): string | null {
  return useOperation('getProjectCapabilities', { projectId }).data?.widgets.reason ?? null;
}

/** Undefined if there is no daily limit. */
export function useTrialsLeft(projectId: string): string | undefined {
  const { data } = useOperation('getProjectCapabilities', { projectId });
  const allowed = data?.plan.limits['trialsPerDay'];
  if (typeof allowed !== 'number') return undefined;
  const used = Number(data?.plan.used?.['trialsPerDay'] ?? 0);
  return `${grouped(Math.max(0, allowed - used))} of ${grouped(allowed)} trials of today.`;
}
