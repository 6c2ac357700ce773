/**
 * The effect of an overlay (replacements of listed tools), from two runs of one plan: the
 * difference of their pass rates, and the stages at which trials failed. The overlay is better or
 * worse if the whole confidence interval is on one side of zero. With fewer than five graded trials
 * in one run, the effect is unknown.
 */

import { type Stage, stages } from '../chain/vocabulary.ts';
import { compareRates } from '../gates/compare-rates.ts';
import type { PassCount } from '../gates/measures.ts';
import { largestSeed } from '../models/model-parameters.ts';
import { grouped } from '../words/sentence.ts';
import { stageWords } from '../words/words.ts';

export const whatIfOutcomes = ['better', 'worse', 'noDifference', 'insufficient'] as const;
export type WhatIfOutcome = (typeof whatIfOutcomes)[number];

export interface RunOfWhatIf extends PassCount {
  readonly failedAt: Readonly<Partial<Record<Stage, number>>>;
}

/**
 * Returns the seed for both compared runs; with equal seeds they differ less by chance. `chance` is
 * at least 0 and below 1.
 */
export function seedOfWhatIf(chance: number): number {
  return Math.floor(chance * (largestSeed + 1));
}

interface StagesOfCase {
  readonly passed: number;
  readonly failed: number;
  readonly stages: readonly { readonly stage: Stage; readonly failedTrials: number }[];
}

export function countForWhatIf(cases: readonly StagesOfCase[]): RunOfWhatIf {
  const failedAt: Partial<Record<Stage, number>> = {};
  let [passed, trials] = [0, 0];
  for (const row of cases) {
    passed += row.passed;
    trials += row.passed + row.failed;
    for (const { stage, failedTrials } of row.stages) {
      failedAt[stage] = (failedAt[stage] ?? 0) + failedTrials;
    }
  }
  return { passed, trials, failedAt };
}

export function whatIfStages({ byStage }: WhatIf): string[] {
  return byStage.map(
    ({ stage, base, overlay }) =>
      `Trials that stop at ${stageWords[stage]}: ${base} without the overlay, ${overlay} with it.`,
  );
}

export interface WhatIf {
  /** Null if there are too few graded trials. */
  readonly difference: {
    readonly passRate: number;
    readonly lower: number;
    readonly upper: number;
  } | null;
  readonly outcome: WhatIfOutcome;
  readonly byStage: readonly {
    readonly stage: Stage;
    readonly base: number;
    readonly overlay: number;
  }[];
}

export function whatIf(base: RunOfWhatIf, overlay: RunOfWhatIf): WhatIf {
  const rates = compareRates(base, overlay);
  const byStage = stages
    .map((stage) => ({
      stage,
      base: base.failedAt[stage] ?? 0,
      overlay: overlay.failedAt[stage] ?? 0,
    }))
    .filter((one) => one.base > 0 || one.overlay > 0);
  if (rates.outcome === 'insufficient') {
    return { difference: null, outcome: 'insufficient', byStage };
  }
  const { delta, lower, upper } = rates;
  const outcome = lower > 0 ? 'better' : upper < 0 ? 'worse' : 'noDifference';
  return { difference: { passRate: delta, lower, upper }, outcome, byStage };
}

/** States the counts of all trials together, because the interval is of their pass rates. */
export function whatIfSentence(
  { difference, outcome }: WhatIf,
  { base, overlay }: { readonly base: PassCount; readonly overlay: PassCount },
): string {
  if (difference === null) {
    return 'Too few trials were graded for a comparison; repeat the cases at least five times.';
  }
  const points = (rate: number) =>
    `${rate < 0 ? '−' : '+'}${Math.abs(Number((rate * 100).toFixed(1)))}`;
  const { passRate, lower, upper } = difference;
  const passed = `${passedOf(overlay)} graded trials of all cases together passed with it, ${passedOf(base)} without it`;
  const interval = `${points(passRate)} points (${passed}; 95 % interval ${points(lower)} to ${points(upper)})`;
  const outcomeText = {
    better: 'The overlay is better',
    worse: 'The overlay is worse',
    noDifference: 'The overlay makes no measurable difference',
  }[outcome as Exclude<WhatIfOutcome, 'insufficient'>];
  return `${outcomeText}: ${interval}.`;
}

function passedOf({ passed, trials }: PassCount): string {
  return `${grouped(passed)} of ${grouped(trials)}`;
}
