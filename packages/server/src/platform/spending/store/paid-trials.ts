/**
 * What trials cost: one row of the ledger for each of them and each holder of its slice, since what a holder asked for is
 * paid whether or not its trial is kept. The same row ends the reservation that the holder has under a cap.
 */
import type { CostOfCalls, LedgerEntry } from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';
import type { HeldWork } from '../../work/store/leased-work.ts';
import { type PlaceOfSpending, writeLedger } from './ledger.ts';
import { type PaidStepKey, release } from './reservations.ts';

/** What the model of a trial cost, or a judge that was asked in it. */
export interface TrialSpending {
  readonly kind: TrialStepKind;
  readonly model: string;
  /** Null where no call was sent. */
  readonly cost: CostOfCalls | null;
  /** Whether credits were set aside for it, which its row takes the place of. */
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
