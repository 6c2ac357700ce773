/**
 * What the models of trials cost. A trial that ends is written with its cost. One that is stopped in the middle, or that
 * somebody else took over, is not written, but what was asked for it has been paid: that is written by itself, once for
 * each holder of the slice.
 */
import type { PlannedTrial } from '@proofmark/domain';
import { type Meter, meteredModels } from '../actions/spending/metered-models.ts';
import type { TrialSpending } from '../storage/eval-runs/record-trials.ts';
import { writeLedger } from '../storage/spending/ledger.ts';
import type { ClaimedWork } from '../storage/work/leased-work.ts';
import type { OpenRun } from './open-runs.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

export interface LostTrials {
  meter(
    run: OpenRun,
    trial: PlannedTrial,
  ): Pick<Meter, 'models'> & { spent(): TrialSpending | null };
  /** Never rejects: whoever lost a trial has something else to tell. */
  pay(trial: { readonly ordinal: number; readonly spent: TrialSpending | null }): Promise<void>;
}

export function lostTrials(
  { database, log, runLimits }: WorkerDependencies,
  work: ClaimedWork,
): LostTrials {
  return {
    meter({ plan, dependencies }, { caseIndex, variantIndex }) {
      const variant = plan.cases[caseIndex]?.variants[variantIndex];
      const { model = '', provider } = variant ?? {};
      const found = plan.prices?.find((one) => one.model === model && one.provider === provider);
      // What the organization pays for itself has no cost that is known here.
      const price = found?.isOwn ? undefined : found;
      const isCapped = runLimits.creditsPerDay !== null;
      const { models, cost } = meteredModels(dependencies.models, price, isCapped);
      return {
        models,
        spent() {
          const spent = cost();
          return spent === null ? null : { model, ...spent };
        },
      };
    },
    async pay({ ordinal, spent }) {
      if (spent === null) return;
      const ref = `${work.groupId}/${ordinal}`;
      const step = `${spent.model} ${work.lease}`;
      const entry = { ...spent, kind: 'trial_step', ref, step } as const;
      try {
        await database.tenant([work.organizationId], (sql) => writeLedger(sql, work, [entry]));
      } catch (error) {
        log.warn(
          { err: error, runId: work.groupId },
          'what a lost trial cost was not written down',
        );
      }
    },
  };
}
