import type { OutputOf } from '@proofmark/contract';
import { type JourneyRunStatus, journeyVerdict, type RunGrades } from '@proofmark/domain';
import type { LatestRunOfJourney } from '../store/run-grades.ts';

type Shown = Pick<OutputOf<'getJourneyRun'>, 'verdict' | 'grades'>;

export function presentRunVerdict(
  run: { readonly status: JourneyRunStatus; readonly error: LatestRunOfJourney['error'] },
  grades: RunGrades | undefined,
): Shown {
  const { status, error } = run;
  return {
    verdict: journeyVerdict({ status, ...(error !== null && { error }) }, grades),
    grades: grades === undefined ? null : { ...grades, criteria: [...grades.criteria] },
  };
}
