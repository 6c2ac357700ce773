/**
 * Statistics of a decision's counts, computed when the decision is read and sent with it. Each row
 * gets pass@k and pass^k, where k is the number of eligible trials, and the 95 % interval of its
 * pass rate. A row without eligible trials gets no statistics.
 */
import * as z from 'zod';
import { type Decision, DecisionCase, Fraction } from './decision.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import { confidence, wilsonInterval } from './wilson-interval.ts';

const Count = z.int().min(0);

export const PassRateInterval = z
  .strictObject({ confidence: z.literal(confidence), lower: Fraction, upper: Fraction })
  .meta({ id: 'EvalRunPassRateInterval' });

export const CaseTrialStatistics = z
  .strictObject({
    caseId: DecisionCase.shape.caseId,
    executionVariant: DecisionCase.shape.executionVariant,
    eligibleTrials: Count,
    passedTrials: Count,
    k: Count,
    passAtK: Fraction.nullable(),
    passHatK: Fraction.nullable(),
    passRateInterval: PassRateInterval.nullable(),
  })
  .meta({ id: 'EvalRunCaseTrialStatistics' });
export type CaseTrialStatistics = z.infer<typeof CaseTrialStatistics>;

export const TrialStatistics = z
  .strictObject({
    unit: z.literal('caseVariant'),
    eligibleTrials: Count,
    passedTrials: Count,
    cases: z.array(CaseTrialStatistics),
  })
  .meta({
    id: 'EvalRunTrialStatistics',
    description:
      'Statistics that are computed on read from the counts of the decision. They decide nothing.',
  });
export type TrialStatistics = z.infer<typeof TrialStatistics>;

export function trialStatistics(decision: Decision): TrialStatistics {
  return {
    unit: 'caseVariant',
    eligibleTrials: decision.cases.reduce((sum, row) => sum + row.eligibleTrials, 0),
    passedTrials: decision.cases.reduce((sum, row) => sum + row.passedTrials, 0),
    cases: decision.cases.map(describeCase),
  };
}

function describeCase(row: DecisionCase): CaseTrialStatistics {
  const { caseId, executionVariant, eligibleTrials, passedTrials } = row;
  const interval = wilsonInterval(passedTrials, eligibleTrials);
  return {
    caseId,
    ...(executionVariant !== undefined && { executionVariant }),
    eligibleTrials,
    passedTrials,
    k: eligibleTrials,
    passAtK: passAtK(eligibleTrials, passedTrials, eligibleTrials),
    passHatK: passHatK(eligibleTrials, passedTrials, eligibleTrials),
    passRateInterval: interval && { confidence, ...interval },
  };
}
