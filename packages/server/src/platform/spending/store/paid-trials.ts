/**
 * The costs of trials. Each worker that has run a trial gets a separate ledger row, since its calls
 * must be paid even if its result is dropped. The row also replaces the credits that this worker
 * had reserved.
 */
import type { CostOfCalls, LedgerEntry } from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';
import type { HeldWork } from '../../work/store/leased-work.ts';
import { type PlaceOfSpending, writeLedger } from './ledger.ts';
import { type PaidStepKey, release } from './reservations.ts';

export interface TrialSpending {
  readonly kind: TrialStepKind;
  readonly model: string;
  /** The cost; null if no call was sent. */
  readonly cost: CostOfCalls | null;
  /** True if credits were reserved; the ledger row then replaces the reservation. */
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
