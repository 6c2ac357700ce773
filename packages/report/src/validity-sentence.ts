/**
 * Sentences about why a run could not be decided, with figures, and about the next action. The
 * cause is always that too little was measured, never a failure of the server.
 */
import {
  count,
  type Decision,
  type DecisionReason,
  percent,
  type Rate,
  type Sentence,
  say,
  type Validity,
} from '@proofmark/domain';

export function validitySentence(reason: DecisionReason, decision: Decision): Sentence {
  return sentences[reason](decision);
}

/** The action for the first reason, because later reasons often follow from it. */
export function validityAction(decision: Decision): Sentence | undefined {
  const reason = decision.reasons[0];
  if (reason === undefined) return undefined;
  // If a case variant has no graded trial, lowering the required number of graded trials does not
  // help, so another action is suggested.
  const lacksAny = decision.cases.some(({ eligibleTrials }) => eligibleTrials === 0);
  if (reason === 'configuredTrialsNotAttempted' && lacksAny) return say`${runToTheEnd}.`;
  return say`${validityActions[reason]}`;
}

const runToTheEnd = 'Run it again to the end';

export const validityActions: Readonly<Record<DecisionReason, string>> = {
  configuredTrialsNotAttempted: `${runToTheEnd}, or state in the suite how many graded trials are enough.`,
  noGradeableTrials: 'Find out why no trial completed, repair that and run it again.',
  eligibleTrialsBelowMinimum:
    'Run it again with more repetitions, or lower the number of graded trials the suite asks for.',
  completionRateBelowMinimum: 'Look at the trials that did not complete, then run it again.',
  completionRateNotMeasured: 'Run it again and let its trials end.',
  evaluatorErrorRateAboveMaximum: 'Repair the grader, then run it again.',
  evaluatorErrorRateNotMeasured: 'Run it again and let its trials end.',
  caseHasNoEligibleTrials: 'Look at the cases without a graded trial, then run it again.',
  casePassRateBelowThreshold: 'Look at the trials below.',
  allMeasuredCasesMetThreshold: 'Nothing is left to do.',
};

const sentences: Readonly<Record<DecisionReason, (decision: Decision) => Sentence>> = {
  configuredTrialsNotAttempted: ({ validity }) => {
    const { configuredTrials, attemptedTrials } = validity;
    const some = say`${onlySome(attemptedTrials)} of ${count(configuredTrials, 'configured trial')}`;
    if (hasCancelled(validity)) {
      return configuredTrials === 1
        ? say`The only configured trial was cancelled, so it does not count as attempted.`
        : say`${some} ${attemptedTrials === 1 ? 'counts' : 'count'} as attempted, because cancelled trials do not count; a verdict needs all of them.`;
    }
    return configuredTrials === 1
      ? say`The only configured trial was not attempted, and a verdict needs it.`
      : say`${some} ${attemptedTrials === 1 ? 'was' : 'were'} attempted; a verdict needs all of them.`;
  },
  noGradeableTrials: ({ validity }) =>
    validity.configuredTrials === 1
      ? say`The only configured trial could not be graded.`
      : say`None of ${count(validity.configuredTrials, 'configured trial')} could be graded.`,
  eligibleTrialsBelowMinimum: ({ validity }) => {
    const { coverage } = validity.policy;
    const floor = coverage.kind === 'minEligibleTrials' ? coverage.minEligibleTrials : 1;
    const graded =
      validity.eligibleTrials === 0
        ? 'No trial'
        : `Only ${count(validity.eligibleTrials, 'trial')}`;
    return say`${graded} could be graded; at least ${floor} ${floor === 1 ? 'is' : 'are'} needed.`;
  },
  completionRateBelowMinimum: ({ validity }) =>
    say`${onlyRatio(validity.completionRate)} completed; at least ${percent(validity.policy.minCompletionRate)} have to.`,
  completionRateNotMeasured: ({ validity }) =>
    say`No trial ${attemptedWords(validity)}, so no completion rate exists.`,
  evaluatorErrorRateAboveMaximum: ({ validity }) =>
    say`The grader broke on ${ratio(validity.evaluatorErrorRate)}; at most ${percent(validity.policy.maxEvaluatorErrorRate)} are allowed.`,
  evaluatorErrorRateNotMeasured: ({ validity }) =>
    say`No trial ${attemptedWords(validity)}, so no grader error rate exists.`,
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

/** Cancelled trials may have started, but they do not count as attempted. */
export function hasCancelled({ completionRate }: Pick<Validity, 'completionRate'>): boolean {
  return (completionRate.exclusions.cancelled ?? 0) > 0;
}

function attemptedWords(validity: Validity): string {
  return hasCancelled(validity) ? 'counts as attempted' : 'was attempted';
}

function onlyRatio(rate: Rate): string {
  if (rate.numerator > 0) return `Only ${ratio(rate)}`;
  return `None of ${count(rate.denominator, 'attempted trial')}`;
}

function onlySome(trials: number): string {
  return trials === 0 ? 'None' : `Only ${trials}`;
}

function ratio(rate: Rate): string {
  const population = `${rate.numerator} of ${count(rate.denominator, 'attempted trial')}`;
  return rate.value === null ? population : `${population} (${percent(rate.value)})`;
}
