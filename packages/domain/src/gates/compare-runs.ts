/**
 * Decides whether a run is worse than its base. Whole runs are compared only if they ran the same
 * cases equally often, under the same scenario and evaluation configuration. A regression is a
 * difference that is at least the smallest effect that matters and whose whole confidence interval
 * is below zero. Fewer than five trials in either run are too few.
 *
 * A case whose trials all passed before and all fail now needs neither statistics nor comparable
 * runs: it is reported separately.
 */
import { type PassCount, passCount } from './measures.ts';
import { type Difference, newcombeInterval } from './newcombe-interval.ts';
import { type RunEvidence, ungateable } from './run-evidence.ts';

const minEffect = 0.01;
const minTrialsToCompare = 5;

export type ComparedRates =
  | { readonly outcome: 'insufficient' }
  | ({ readonly outcome: 'regression' | 'noRegression' } & Difference);

export function compareRates(base: PassCount, compared: PassCount): ComparedRates {
  const smallest = Math.min(base.trials, compared.trials);
  const difference = newcombeInterval(base, compared);
  if (smallest < minTrialsToCompare || difference === null) return { outcome: 'insufficient' };
  const worse = difference.upper < 0 && difference.delta <= -minEffect;
  return { outcome: worse ? 'regression' : 'noRegression', ...difference };
}

export type ComparedRuns = ComparedRates | { readonly outcome: 'refused'; readonly reason: string };

export function compareRuns(base: RunEvidence, compared: RunEvidence): ComparedRuns {
  const reason = incomparable(base, compared);
  if (reason !== undefined) return { outcome: 'refused', reason };
  const before = passCount(base);
  const now = passCount(compared);
  if (before === undefined || now === undefined) {
    return { outcome: 'refused', reason: 'A trial has no result.' };
  }
  return compareRates(before, now);
}

export function incomparable(base: RunEvidence, compared: RunEvidence): string | undefined {
  const why = ungateable(base) ?? ungateable(compared);
  if (why !== undefined) return why;
  if (base.scenarioConfigHash !== compared.scenarioConfigHash) {
    return 'The runs differ in their scenario configuration.';
  }
  if (base.evaluationConfigHash !== compared.evaluationConfigHash) {
    return 'The runs differ in their evaluation configuration.';
  }
  const before = trialsByCase(base);
  const now = trialsByCase(compared);
  if (before.size !== now.size || ![...before.keys()].every((key) => now.has(key))) {
    return 'The runs differ in their cases.';
  }
  const sameCounts = [...before].every(([key, trials]) => now.get(key)?.length === trials.length);
  return sameCounts ? undefined : 'The runs differ in how often a case ran.';
}

/**
 * Returns the cases whose trials all passed in the base run and all failed in the compared run,
 * sorted by UTF-16 units.
 */
export function deterministicRegressions(base: RunEvidence, compared: RunEvidence): string[] {
  const now = trialsByCase(compared);
  return [...trialsByCase(base)]
    .filter(([key, before]) => every(before, 'passed') && every(now.get(key) ?? [], 'failed'))
    .map(([key]) => key)
    .sort();
}

type Results = (string | undefined)[];

function trialsByCase(run: RunEvidence): Map<string, Results> {
  const byCase = new Map<string, Results>();
  for (const { caseKey, result } of run.trials) {
    const results = byCase.get(caseKey);
    if (results === undefined) byCase.set(caseKey, [result]);
    else results.push(result);
  }
  return byCase;
}

function every(results: Results, wanted: string): boolean {
  return results.length > 0 && results.every((result) => result === wanted);
}
