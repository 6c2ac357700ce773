/**
 * How each case came out by the decision of its run, over all variants: it failed where one of them failed, and passed where
 * all of them passed. Of a case with a variant that could not be measured nothing is said beyond a failure.
 */
import type { Decision } from './decision.ts';

export function verdictsOfCases(
  decision: Pick<Decision, 'cases'>,
): ReadonlyMap<string, 'passed' | 'failed' | undefined> {
  const verdicts = new Map<string, 'passed' | 'failed' | undefined>();
  for (const { caseId, verdict } of decision.cases) {
    if (verdict === 'failed') verdicts.set(caseId, 'failed');
    else if (verdict === 'inconclusive' && verdicts.get(caseId) !== 'failed')
      verdicts.set(caseId, undefined);
    else if (!verdicts.has(caseId)) verdicts.set(caseId, 'passed');
  }
  return verdicts;
}
