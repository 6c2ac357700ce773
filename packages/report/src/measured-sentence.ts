/**
 * States whether everything was measured: every case variant has assertions, and all its trials
 * were graded. Otherwise the sentence counts the gaps. If it is unknown whether cases have
 * assertions, the sentence mentions only the grades.
 */
import {
  count,
  type Decision,
  type ExclusionReason,
  exclusionReasons,
  exclusionWords,
  join,
  type Sentence,
  say,
} from '@proofmark/domain';
import { hasCancelled } from './validity-sentence.ts';

export interface KnownOfCases {
  /** Undefined if unknown. */
  readonly assertsNothing?: number | undefined;
  readonly isReported?: boolean | undefined;
}

export function measuredSentence(decision: Decision, known: KnownOfCases): Sentence {
  const { assertsNothing, isReported = false } = known;
  const { configuredTrials, attemptedTrials, eligibleTrials } = decision.validity;
  const configured = count(configuredTrials, 'configured trial');
  const isGraded =
    eligibleTrials === configuredTrials &&
    decision.cases.length > 0 &&
    decision.cases.every((row) => row.eligibleTrials > 0);
  if (isGraded && assertsNothing === undefined) {
    const lost = `The checks of the cases were not ${isReported ? 'reported' : 'recorded'}.`;
    return say`Completed and graded: ${eligibleTrials} of ${configured}, no grader error. ${lost}`;
  }
  if (isGraded && assertsNothing === 0) {
    return say`Everything was measured: ${eligibleTrials} of ${configured} completed and graded, no grader error.`;
  }
  const attempted = hasCancelled(decision.validity) ? 'counted as attempted' : 'attempted';
  const lacking = [
    ...(isGraded
      ? []
      : [say`${attemptedTrials} of ${configured} ${attempted}, ${eligibleTrials} graded`]),
    ...excludedTrials(decision),
    ...silentVariants(decision, assertsNothing ?? 0),
  ];
  return say`Not everything was measured: ${join(lacking, '; ')}.`;
}

function excludedTrials({ cases }: Decision): Sentence[] {
  const excluded = new Map<ExclusionReason, number>();
  for (const { passRate } of cases) {
    for (const reason of exclusionReasons) {
      const amount = passRate.exclusions[reason] ?? 0;
      if (amount > 0) excluded.set(reason, (excluded.get(reason) ?? 0) + amount);
    }
  }
  const parts = [...excluded].map(
    ([reason, amount]) => say`${count(amount, 'trial')} ${exclusionWords[reason]}`,
  );
  return parts.length === 0 ? [] : [join(parts, ', ', ' and ')];
}

function silentVariants({ cases }: Decision, assertsNothing: number): Sentence[] {
  if (assertsNothing === 0) return [];
  const of = say`${assertsNothing} of ${count(cases.length, 'case variant')}`;
  return assertsNothing === 1
    ? [say`${of} asserts nothing, so its trials show little`]
    : [say`${of} assert nothing, so their trials show little`];
}
