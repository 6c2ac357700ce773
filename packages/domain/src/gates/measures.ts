/** The measurements of gates on a run. Each is absent if one trial lacks its data. */
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

export function p95LatencyMs(run: RunEvidence): number | undefined {
  const measured = measuredByAll(run.trials.map((trial) => trial.latencyMs));
  return measured === undefined ? undefined : percentile95(measured);
}

/** Interpolates linearly between the sorted values, at index 0.95 × (n − 1). */
export function percentile95(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const index = 0.95 * (sorted.length - 1);
  const below = sorted[Math.floor(index)];
  const above = sorted[Math.ceil(index)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (index - Math.floor(index));
}

/**
 * Returns the scores of every trial, or undefined if those of one trial are not known to be valid.
 */
export function validScores({ trials }: RunEvidence): (readonly GateScore[])[] | undefined {
  const valid = trials.flatMap(({ scoreIntegrity, scores }) =>
    scoreIntegrity === 'valid' && scores !== undefined ? [scores] : [],
  );
  return valid.length === trials.length ? valid : undefined;
}

/**
 * Returns the rows in which one scorer gave a value. Undefined if a trial has no row of it or a row
 * without a value. Trials to which it does not apply are left out, and at least one value must
 * remain.
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
