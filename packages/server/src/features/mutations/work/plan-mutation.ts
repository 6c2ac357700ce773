import {
  estimateRun,
  lexicalModelId,
  mostTrialsOfMutant,
  type RunPlan,
  trialsOfBase,
} from '@proofmark/domain';
import type { PreparedLaunch } from '../../evals/index.ts';
import type { MutationEstimate } from '../store/mutations.ts';

/**
 * Changes a run's plan into that of a mutation. Sessions are not shared, so that mutants do not
 * affect each other. Tools that may write are called only if the author allowed them, because a
 * deliberately misled model calls live servers many times.
 */
export function planOfMutation(
  plan: RunPlan,
  servers: 'live' | 'recorded',
  stated: readonly string[] | undefined,
): RunPlan {
  const { sessions: _, judge: __, replay: ___, ...rest } = plan;
  const allowWrites = stated ?? plan.allowWrites ?? (servers === 'live' ? [] : undefined);
  return {
    ...rest,
    ...(allowWrites && { allowWrites }),
    cases: plan.cases.map((one) => ({
      ...one,
      variants: one.variants.map((variant) => ({ ...variant, repetitions: trialsOfBase })),
    })),
  };
}

export interface PlannedMutation extends Pick<PreparedLaunch, 'plan' | 'unpriced'> {
  readonly servers: 'live' | 'recorded';
}

type KnownTokens = Pick<
  Parameters<typeof estimateRun>[0],
  'tokensPerTrial' | 'judgeTokensPerTrial'
>;

/** Estimates the maximum cost: assumes that every mutant affects every case variant. */
export function estimateOfMutation(
  { plan, unpriced, servers }: PlannedMutation,
  mutants: number,
  known: KnownTokens,
): MutationEstimate {
  const variants = plan.cases.flatMap((one) => one.variants);
  const each = variants.map(({ model }) =>
    mostTrialsOfMutant(model === undefined || model === lexicalModelId, servers),
  );
  const ofMutants = each.reduce((sum, one) => sum + one, 0) * mutants;
  const { trials, credits } = estimateRun({
    plan,
    prices: plan.prices ?? [],
    unpriced,
    creditsLeft: null,
    ...known,
  });
  const all = trials + ofMutants;
  const worstCaseCredits = credits === null ? null : (credits / Math.max(1, trials)) * all;
  return { mutants, trials: all, worstCaseCredits };
}
