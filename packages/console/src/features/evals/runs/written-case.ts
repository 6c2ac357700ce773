import type { EvalRun } from '@proofmark/contract';

/**
 * Returns undefined if the case cannot be edited here: cases of a reported run are defined outside
 * Proofmark.
 */
export function writtenCase(
  { projectId, suiteId, source }: Pick<EvalRun, 'projectId' | 'suiteId' | 'source'>,
  testCaseId: string | null | undefined,
): { readonly projectId: string; readonly suiteId: string; readonly caseId: string } | undefined {
  if (source === 'sdk' || testCaseId === null || testCaseId === undefined) return undefined;
  return { projectId, suiteId, caseId: testCaseId };
}
