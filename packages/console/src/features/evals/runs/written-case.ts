/** Where the case of a trial is edited. */
import type { EvalRun } from '@proofmark/contract';

/** Nothing where the trial is of no case that is written here: cases of reported runs are written elsewhere. */
export function writtenCase(
  { projectId, suiteId, source }: Pick<EvalRun, 'projectId' | 'suiteId' | 'source'>,
  testCaseId: string | null | undefined,
): { readonly projectId: string; readonly suiteId: string; readonly caseId: string } | undefined {
  if (source === 'sdk' || testCaseId === null || testCaseId === undefined) return undefined;
  return { projectId, suiteId, caseId: testCaseId };
}
