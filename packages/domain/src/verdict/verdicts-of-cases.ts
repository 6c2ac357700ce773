/**
 * The verdict of each case over all its variants: failed if one variant failed, passed if all
 * passed. If a variant was not measured, the case does not pass.
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
