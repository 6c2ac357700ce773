/**
 * Pairs the cases of two runs. Rows of one case, and one case on several models, form one cluster,
 * since they vary together. If a run played a case on several models, each model is paired with
 * itself. Otherwise the case is one pair, even if its model changed.
 */
import {
  type CaseOnSide,
  comparePaired,
  type PairedComparison,
} from '../statistics/paired-comparison.ts';
import { caseKeyOfRow } from './data-rows.ts';

export interface TrialsOnModel {
  /** The name of the model with its provider, if the provider is known. */
  readonly model: string;
  readonly passed: number;
  readonly failed: number;
}

export interface TrialsOfCase {
  readonly caseKey: string;
  readonly passed: number;
  readonly failed: number;
  /** The same counts by model; absent or empty if the models are not known. */
  readonly models?: readonly TrialsOnModel[];
}

/** Returns null if a run has no case. */
export function pairCases(
  base: readonly TrialsOfCase[],
  compare: readonly TrialsOfCase[],
): PairedComparison | null {
  if (base.length === 0 || compare.length === 0) return null;
  return comparePaired(casesOnSide(base, compare), casesOnSide(compare, base));
}

/** Adds the provider, so that equal models of two providers have different names. */
export function modelOfPair(model: string, provider?: string | null): string {
  const isComplete =
    provider === undefined || provider === null || model.startsWith(`${provider}/`);
  return isComplete ? model : `${provider}/${model}`;
}

function pairKey(caseKey: string, model: string): string {
  return `${caseKey} on ${model}`;
}

export function pairTitle(
  key: string,
  cases: readonly { readonly caseKey: string; readonly title: string }[],
): string {
  const isOf = ({ caseKey }: { readonly caseKey: string }) =>
    key === caseKey || key.startsWith(pairKey(caseKey, ''));
  const found = cases.find(isOf);
  return found === undefined ? key : `${found.title}${key.slice(found.caseKey.length)}`;
}

function casesOnSide(side: readonly TrialsOfCase[], other: readonly TrialsOfCase[]): CaseOnSide[] {
  const others = new Map(other.map((one) => [one.caseKey, one]));
  return side.flatMap(({ caseKey, passed, failed, models = [] }) => {
    const cluster = caseKeyOfRow(caseKey) ?? caseKey;
    const amounts = [models.length, others.get(caseKey)?.models?.length ?? 0];
    if (Math.min(...amounts) === 0 || Math.max(...amounts) === 1) {
      return [{ key: caseKey, cluster, passed, trials: passed + failed }];
    }
    return models.map((one) => ({
      key: pairKey(caseKey, one.model),
      cluster,
      passed: one.passed,
      trials: one.passed + one.failed,
    }));
  });
}
