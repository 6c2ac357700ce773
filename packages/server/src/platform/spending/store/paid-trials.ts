/**
 * The costs of trials: one ledger row for each trial and each holder of its slice, since a holder's
 * calls are paid even if its trial is not kept. The same row ends the holder's reservation under a
 * cap.
 */
import type { CostOfCalls, LedgerEntry } from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';
import type { HeldWork } from '../../work/store/leased-work.ts';
import { type PlaceOfSpending, writeLedger } from './ledger.ts';
import { type PaidStepKey, release } from './reservations.ts';

/** The cost of a trial's model, or of a judge in the trial. */
export interface TrialSpending {
  readonly kind: TrialStepKind;
  readonly model: string;
  /** Null if no call was sent. */
  readonly cost: CostOfCalls | null;
  /** True if credits were reserved, which the ledger row replaces. */
  readonly isReserved: boolean;
}

type TrialStepKind = 'trial_step' | 'judge';

export interface PaidTrial {
  readonly step: PaidStepKey;
  readonly spent: TrialSpending;
}

export function paidFor(
  runId: string,
  { ordinal, spent }: { readonly ordinal: number; readonly spent: readonly TrialSpending[] },
  { lease }: Pick<HeldWork, 'lease'>,
): PaidTrial[] {
  return spent.map((one) => ({ step: stepOfTrial(runId, ordinal, one, lease), spent: one }));
}

export function stepOfTrial(
  runId: string,
  ordinal: number,
  { kind, model }: Pick<TrialSpending, 'kind' | 'model'>,
  lease: string,
): PaidStepKey {
  return { kind, ref: `${runId}/${ordinal}`, step: `${model} ${lease}` };
}

export async function payTrials(
  sql: Sql,
  place: PlaceOfSpending,
  trials: readonly PaidTrial[],
): Promise<void> {
  const reserved = trials.filter(({ spent }) => spent.isReserved);
  const entries = trials.flatMap(({ step, spent: { model, cost } }): LedgerEntry[] =>
    cost === null ? [] : [{ ...step, model, ...cost }],
  );
  const steps = reserved.map(({ step }) => step);
  await Promise.all([release(sql, steps), writeLedger(sql, place, entries)]);
}
