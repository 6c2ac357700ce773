/**
 * The measurements that gates need from a run. A measurement is absent if even one trial lacks its
 * data.
 */
import type { GateScore, RunEvidence } from './run-evidence.ts';

export interface PassCount {
  readonly passed: number;
  readonly trials: number;
}

export function passCount({ trials }: RunEvidence): PassCount | undefined {
  if (!trials.every((trial) => trial.result !== undefined)) return undefined;
  return {
    passed: trials.filter((trial) => trial.result === 'passed').length,
    trials: trials.length,
  };
}

export function totalTokens(run: RunEvidence): number | undefined {
  return measuredByAll(run.trials.map((trial) => trial.totalTokens))?.reduce(
    (sum, tokens) => sum + tokens,
    0,
  );
}

export function surfaceTokensOf({ surfaceTokens }: RunEvidence): number | undefined {
  return measuredByAll([surfaceTokens])?.[0];
}

export function largestResultTokens({ trials }: RunEvidence): number | undefined {
  const measured = measuredByAll(trials.map((trial) => trial.largestResultTokens));
  return measured && Math.max(...measured);
}

export function p95LatencyMs(run: RunEvidence): number | undefined {
  const measured = measuredByAll(run.trials.map((trial) => trial.latencyMs));
  return measured === undefined ? undefined : percentile95(measured);
}

/**
 * Returns the 95th percentile: the linear interpolation between sorted values at index 0.95 × (n −
 * 1).
 */
export function percentile95(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const index = 0.95 * (sorted.length - 1);
  const below = sorted[Math.floor(index)];
  const above = sorted[Math.ceil(index)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (index - Math.floor(index));
}

/**
 * Returns the scores of every trial; undefined if the scores of any trial are not known to be
 * valid.
 */
export function validScores({ trials }: RunEvidence): (readonly GateScore[])[] | undefined {
  const valid = trials.flatMap(({ scoreIntegrity, scores }) =>
    scoreIntegrity === 'valid' && scores !== undefined ? [scores] : [],
  );
  return valid.length === trials.length ? valid : undefined;
}

/**
 * Returns the scores that one scorer gave. Returns undefined if any trial has no score from this
 * scorer, or a score without a value. Trials to which the scorer does not apply are left out; at
 * least one score must remain.
 */
export function scoredRows(run: RunEvidence, scorerId: string) {
  const rows: { value: number; passThreshold: number }[] = [];
  for (const scores of validScores(run) ?? []) {
    const ofScorer = scores.filter((score) => score.scorerId === scorerId);
    if (ofScorer.length === 0) return undefined;
    for (const { status, value, passThreshold } of ofScorer) {
      if (status === 'not_applicable') continue;
      if (status !== 'scored' || value === undefined || !(value >= 0 && value <= 1)) {
        return undefined;
      }
      rows.push({ value, passThreshold });
    }
  }
  return rows.length === 0 ? undefined : rows;
}

function measuredByAll(values: readonly (number | undefined)[]): number[] | undefined {
  const measured = values.filter(
    (value): value is number => value !== undefined && Number.isFinite(value) && value >= 0,
  );
  return measured.length === values.length ? measured : undefined;
}
