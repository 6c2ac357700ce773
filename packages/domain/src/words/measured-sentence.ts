/**
 * Whether everything was measured: every case variant asserts something, and all its trials were graded. Otherwise what
 * is lacking, in numbers.
 */
import { type Decision, type ExclusionReason, exclusionReasons } from '../verdict/decision.ts';
import { count, join, type Sentence, say } from './say.ts';
import { exclusionWords } from './words.ts';

export function measuredSentence(decision: Decision, assertsNothing: number): Sentence {
  const { configuredTrials, attemptedTrials, eligibleTrials } = decision.validity;
  const configured = count(configuredTrials, 'configured trial');
  const isGraded =
    eligibleTrials === configuredTrials &&
    decision.cases.length > 0 &&
    decision.cases.every((row) => row.eligibleTrials > 0);
  if (isGraded && assertsNothing === 0) {
    return say`Everything was measured: ${eligibleTrials} of ${configured} completed and graded, no evaluator error.`;
  }
  const lacking = [
    ...(isGraded
      ? []
      : [say`${attemptedTrials} of ${configured} attempted, ${eligibleTrials} graded`]),
    ...excludedTrials(decision),
    ...silentVariants(decision, assertsNothing),
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
