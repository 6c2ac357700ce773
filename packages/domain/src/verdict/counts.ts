/**
 * Counts with their unit. A run with a decision counts case variants by verdict. A legacy run
 * (judged by one percent threshold) counts trials. A count that was not recorded is left out, since
 * it does not mean zero.
 */
import * as z from 'zod';
import type { Verdict } from './decision.ts';

const Count = z.int().min(0);

export const CaseVariantCounts = z
  .strictObject({
    measurementUnit: z.literal('caseVariant'),
    total: Count,
    passed: Count,
    failed: Count,
    inconclusive: Count,
  })
  .refine((counts) => counts.passed + counts.failed + counts.inconclusive === counts.total, {
    error: 'The buckets do not add up to the total.',
  })
  .meta({ id: 'EvalRunDecisionCaseVariantCounts' });
export type CaseVariantCounts = z.infer<typeof CaseVariantCounts>;

export const TrialCounts = z
  .strictObject({
    measurementUnit: z.literal('trial'),
    total: Count.exactOptional(),
    passed: Count.exactOptional(),
    failed: Count.exactOptional(),
  })
  .meta({ id: 'EvalRunDecisionTrialCounts' });
export type TrialCounts = z.infer<typeof TrialCounts>;

export const DecisionCounts = z
  .discriminatedUnion('measurementUnit', [CaseVariantCounts, TrialCounts])
  .meta({ id: 'EvalRunDecisionCounts' });
export type DecisionCounts = z.infer<typeof DecisionCounts>;

export function tallyVerdicts(cases: readonly { readonly verdict: Verdict }[]): CaseVariantCounts {
  const tally: CaseVariantCounts = {
    measurementUnit: 'caseVariant',
    total: cases.length,
    passed: 0,
    failed: 0,
    inconclusive: 0,
  };
  for (const { verdict } of cases) tally[verdict] += 1;
  return tally;
}

export interface LegacyCounts {
  readonly total?: unknown;
  readonly passed?: unknown;
  readonly failed?: unknown;
}

export function recordedCounts(stored: LegacyCounts | null | undefined): TrialCounts | undefined {
  const { total, passed, failed } = stored ?? {};
  const recorded = {
    ...(isCount(total) && { total }),
    ...(isCount(passed) && { passed }),
    ...(isCount(failed) && { failed }),
  };
  if (Object.keys(recorded).length === 0) return undefined;
  return { measurementUnit: 'trial', ...recorded };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
