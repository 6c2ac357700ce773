/** A pattern that cannot be run is refused where it is written: at grading it could neither hold nor fail. */
import {
  type CaseToWarnOf,
  invalid,
  patternsOf,
  patternsOfCase,
  type StatedPattern,
  type SuiteSettings,
} from '@proofmark/domain';
import { linearPatterns } from '../../patterns/linear-patterns.ts';
import { refuse } from '../action.ts';

export function refusePatterns(
  cases: readonly CaseToWarnOf[],
  checks: SuiteSettings['checks'] | null = [],
): void {
  refuseStatedPatterns([
    ...patternsOf(checks ?? [], 'body.settings.checks'),
    ...cases.flatMap(patternsOfCase),
  ]);
}

export function refuseStatedPatterns(stated: readonly StatedPattern[]): void {
  const [first] = patternProblems(stated);
  if (first !== undefined)
    refuse(invalid(first.path, first.message, { reason: 'PATTERN_INVALID' }));
}

export function patternProblems(
  stated: readonly StatedPattern[],
): { readonly path: string; readonly message: string }[] {
  return stated.flatMap(({ path, pattern }) => {
    const tried = linearPatterns.test(pattern, '');
    if (typeof tried === 'boolean') return [];
    return [{ path, message: `This pattern cannot be run: ${tried.problem}.` }];
  });
}
