/**
 * Why a run could not be decided, with the numbers that say so, and the one thing to do about it. None
 * of this is a failure of the server: too little was measured.
 */
import type { Decision, DecisionReason, Rate } from '../verdict/decision.ts';
import { count, percent, type Sentence, say } from './say.ts';

export function validitySentence(reason: DecisionReason, decision: Decision): Sentence {
  return sentences[reason](decision);
}

/** The action for the first reason: later ones are often its consequence. */
export function validityAction(decision: Decision): Sentence | undefined {
  const reason = decision.reasons[0];
  return reason === undefined ? undefined : say`${validityActions[reason]}`;
}

export const validityActions: Readonly<Record<DecisionReason, string>> = {
  configuredTrialsNotAttempted:
    'Run it again to the end, or let the suite state how many graded trials are enough.',
  noGradeableTrials: 'Look at why no trial came to its end, repair that and run it again.',
  eligibleTrialsBelowMinimum:
    'Run it again with more repetitions, or lower the number of graded trials the suite asks for.',
  completionRateBelowMinimum: 'Look at the trials that did not complete, then run it again.',
  completionRateNotMeasured: 'Run it again; no trial was attempted.',
  evaluatorErrorRateAboveMaximum: 'Repair the grader, then run it again.',
  evaluatorErrorRateNotMeasured: 'Run it again; no trial was attempted.',
  caseHasNoEligibleTrials: 'Look at the cases without a graded trial, then run it again.',
  casePassRateBelowThreshold: 'Look at the trials below.',
  allMeasuredCasesMetThreshold: 'Nothing is left to do.',
};

const sentences: Readonly<Record<DecisionReason, (decision: Decision) => Sentence>> = {
  configuredTrialsNotAttempted: ({ validity }) =>
    validity.configuredTrials === 1
      ? say`The only configured trial was not attempted, and it has to be.`
      : say`Only ${validity.attemptedTrials} of ${count(validity.configuredTrials, 'configured trial')} ${validity.attemptedTrials === 1 ? 'was' : 'were'} attempted, and all of them have to be.`,
  noGradeableTrials: ({ validity }) =>
    validity.configuredTrials === 1
      ? say`The only configured trial could not be graded.`
      : say`None of ${count(validity.configuredTrials, 'configured trial')} could be graded.`,
  eligibleTrialsBelowMinimum: ({ validity }) => {
    const { coverage } = validity.policy;
    const floor = coverage.kind === 'minEligibleTrials' ? coverage.minEligibleTrials : 1;
    return say`Only ${count(validity.eligibleTrials, 'trial')} could be graded; at least ${floor} are needed.`;
  },
  completionRateBelowMinimum: ({ validity }) =>
    say`Only ${ratio(validity.completionRate)} completed; at least ${percent(validity.policy.minCompletionRate)} have to.`,
  completionRateNotMeasured: () => say`No trial was attempted, so no completion rate exists.`,
  evaluatorErrorRateAboveMaximum: ({ validity }) =>
    say`The grader broke on ${ratio(validity.evaluatorErrorRate)}; at most ${percent(validity.policy.maxEvaluatorErrorRate)} are allowed.`,
  evaluatorErrorRateNotMeasured: () => say`No trial was attempted, so no grader error rate exists.`,
  caseHasNoEligibleTrials: ({ cases }) => {
    const without = cases.filter((row) => row.eligibleTrials === 0).length;
    return say`${without} of ${count(cases.length, 'case variant')} had no graded trial.`;
  },
  casePassRateBelowThreshold: ({ cases }) => {
    const below = cases.filter((row) => row.verdict === 'failed').length;
    return say`${below} of ${count(cases.length, 'case variant')} did not meet the threshold.`;
  },
  allMeasuredCasesMetThreshold: ({ cases }) =>
    say`All of ${count(cases.length, 'case variant')} met the threshold.`,
};

function ratio(rate: Rate): string {
  const population = `${rate.numerator} of ${count(rate.denominator, 'attempted trial')}`;
  return rate.value === null ? population : `${population} (${percent(rate.value)})`;
}
