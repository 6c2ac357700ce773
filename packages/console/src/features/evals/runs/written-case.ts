/** Finds the page that edits a trial's case. */
import type { EvalRun } from '@proofmark/contract';

/**
 * Returns the ids for the case's page, or undefined if it cannot be edited here: the cases of a
 * reported run are defined outside Proofmark.
 */
export function writtenCase(
  { projectId, suiteId, source }: Pick<EvalRun, 'projectId' | 'suiteId' | 'source'>,
  testCaseId: string | null | undefined,
): { readonly projectId: string; readonly suiteId: string; readonly caseId: string } | undefined {
  if (source === 'sdk' || testCaseId === null || testCaseId === undefined) return undefined;
  return { projectId, suiteId, caseId: testCaseId };
}
