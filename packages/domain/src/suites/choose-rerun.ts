/**
 * Chooses the case variants of a rerun: all variants with at least one failed or ungraded trial, as
 * requested. All trials of a chosen variant are repeated. A trial whose grader failed counts as not
 * graded.
 */
import { classifyTrial, type Trial } from '../verdict/classify-trial.ts';
import type { LaunchedTrials } from '../verdict/decide-launched-run.ts';
import type { RowSample } from './case-data.ts';
import type { CaseWarning } from './case-warnings.ts';
import type { RerunScope } from './rerun-of.ts';

/** A case on one of its models; `model` is undefined if the case asks none. */
export interface VariantToRun {
  readonly caseId: string;
  readonly model: string | undefined;
  readonly provider: string | undefined;
}

export function chooseVariants(
  trials: readonly Omit<LaunchedTrials, 'count'>[],
  scope: RerunScope,
): VariantToRun[] {
  const chosen = new Map<string, VariantToRun>();
  for (const { caseId, model, provider, status, result, evaluatorError } of trials) {
    const trial = { status, taskVerdict: result ?? undefined, evaluatorError };
    if (!isOfScope(trial, scope)) continue;
    const variant = { caseId, model: model ?? undefined, provider: provider ?? undefined };
    chosen.set(variantKey(variant), variant);
  }
  return [...chosen.values()];
}

function isOfScope(trial: Trial, scope: RerunScope): boolean {
  if (scope === 'all') return true;
  const found = classifyTrial(trial);
  const isGraded = 'graded' in found;
  return scope === 'notGraded' ? !isGraded : isGraded && found.graded === 'failed';
}

export function variantKey({ caseId, model, provider }: VariantToRun): string {
  return `${caseId}\0${provider ?? ''}\0${model ?? ''}`;
}

/**
 * Returns the samples of the first run for the rows that a rerun repeats, since their seed must be
 * reported again. Cases without a repeated row are left out.
 */
export function samplesRunAgain(
  samples: readonly RowSample[],
  variants: readonly VariantToRun[],
  titleOf: (caseId: string) => string | undefined,
): RowSample[] {
  const titles = variants.flatMap(({ caseId }) => titleOf(caseId) ?? []);
  return samples.filter(({ title }) => titles.some((one) => one.startsWith(`${title} [`)));
}

export function warnOfGone(
  gone: readonly VariantToRun[],
  titleOf: (caseId: string) => string | undefined,
): CaseWarning[] {
  return gone.map(({ caseId, model }) => ({
    path: 'body.scope',
    code: 'RERUN_CASE_GONE' as const,
    message: `The case ${JSON.stringify(titleOf(caseId) ?? caseId)}${model === undefined ? '' : ` on ${model}`} is not run again: it was deleted, disabled or moved to other models.`,
  }));
}
