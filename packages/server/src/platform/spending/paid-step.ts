/**
 * One paid call of a model. Under a credit limit, the worst-case cost is reserved first, and a
 * model without a price is rejected. The cost is written together with the result of the step, or
 * alone if there is no result.
 */
import {
  costOfCalls,
  type LedgerKind,
  largestQuota,
  modelUnpriced,
  outOfCredits,
  type PricePerMillion,
  runOutOfCredits,
  type StepUsage,
  worstCase,
} from '@proofmark/domain';
import type { Database, Sql } from '../database/database.ts';
import { pause } from '../database/pause.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import { readCreditsOfToday, readSpentToday } from './store/daily-counters.ts';
import type { PlaceOfSpending } from './store/ledger.ts';
import { mayComeBack, release, renew, reserveCredits, settle } from './store/reservations.ts';
import { readRunCredits, runOfRef } from './store/run-credits.ts';

export interface StepToPay {
  readonly place: PlaceOfSpending;
  readonly kind: LedgerKind;
  /** `ref` is the id of the object for which the call pays; `step` is the step of that object. */
  readonly ref: string;
  readonly step: string;
  readonly model: string;
  readonly price: PricePerMillion | undefined;
  /** The size of the request in bytes, from which its tokens are estimated. */
  readonly requestBytes: number;
  readonly mostOutputTokens?: number;
  /** True if the call belongs to a run whose launch limited the run's credits. */
  readonly isOfLimitedRun?: boolean;
  /**
   * The longest wait for credits that other steps have reserved, since these steps usually release
   * a part (default: no wait).
   */
  readonly wait?: { readonly mostMs: number; readonly signal: AbortSignal };
}

export interface PaidStep {
  /** True if credits are reserved, until `settle` or `drop` is called. */
  readonly isReserved: boolean;
  /**
   * Runs the call and renews the reservation meanwhile. Without renewals, the reservation would
   * count as abandoned during a long call.
   */
  during<Result>(call: () => Promise<Result>): Promise<Result>;
  /**
   * Writes the cost. `sql` must be the transaction that stores the result of the step. Unknown
   * token counts are null.
   */
  settle(sql: Sql, usage: StepUsage): Promise<void>;
  drop(sql: Sql): Promise<void>;
}

export async function beginPaidStep(
  database: Database,
  creditsPerDay: number | null,
  toPay: StepToPay,
): Promise<PaidStep> {
  // A limit on the run's credits requires a reservation even if the organization's credits per day
  // are unlimited.
  const cap = creditsPerDay ?? (toPay.isOfLimitedRun === true ? largestQuota : null);
  const { place, kind, ref, step, model, price } = toPay;
  const worst =
    price === undefined ? 0 : worstCase(price, toPay.requestBytes, toPay.mostOutputTokens);
  if (cap !== null && price === undefined) throw modelUnpriced(model);
  // A call whose worst case costs nothing cannot exceed a limit.
  const isReserved = cap !== null && worst > 0;
  if (isReserved) await setAside(database, cap, toPay, worst);
  return {
    isReserved,
    during(call) {
      if (!isReserved) return call();
      return renewing(
        () => database.tenant([place.organizationId], (sql) => renew(sql, { kind, ref, step })),
        call,
      );
    },
    settle: (sql, usage) => {
      const cost = costOfCalls(price, [{ usage, worst }], cap !== null);
      return settle(sql, place, { kind, ref, step, model, ...cost });
    },
    drop: (sql) => release(sql, [{ kind, ref, step }]),
  };
}

/**
 * Reserves credits, waiting for other steps to release some if necessary. Rejects if too many
 * credits are already spent, if no running step could release credits, or if the wait is over.
 */
async function setAside(
  database: Database,
  cap: number,
  { place, kind, ref, step, model, wait, isOfLimitedRun = false }: StepToPay,
  credits: number,
): Promise<void> {
  const { organizationId } = place;
  const endsAtMs = performance.now() + (wait?.mostMs ?? 0);
  for (;;) {
    const reserve = async (sql: Sql) => {
      const reservation = { kind, ref, step, model, credits };
      // An earlier try of this step may have reserved credits although its answer was lost, so that
      // reservation is released first.
      await release(sql, [reservation]);
      const run = { isOfLimitedRun };
      const { isReserved, spentOut = 'day' } = await reserveCredits(
        sql,
        place,
        reservation,
        cap,
        run,
      );
      if (isReserved) return undefined;
      const { left, why } = await (spentOut === 'run'
        ? leftOfRun(sql, ref)
        : leftOfDay(sql, organizationId, cap));
      const mayCome = credits <= left && (await mayComeBack(sql, place, ref, spentOut));
      return { mayCome, why };
    };
    const ask = () => database.tenant([organizationId], reserve);
    const refused = await (wait === undefined ? ask() : retryWhileDatabaseIsAway(ask, wait.signal));
    if (refused === undefined) return;
    if (wait === undefined || !refused.mayCome || performance.now() >= endsAtMs) throw refused.why;
    await pause(betweenTriesMs, wait.signal);
  }
}

/**
 * Returns the credits left today. Reserved credits are ignored, since they are usually released;
 * only the figure in the refusal includes them.
 */
async function leftOfDay(sql: Sql, organizationId: string, cap: number) {
  const left = cap - (await readSpentToday(sql, organizationId));
  return { left, why: outOfCredits(cap, await readCreditsOfToday(sql, organizationId)) };
}

async function leftOfRun(sql: Sql, ref: string) {
  const limited = await readRunCredits(sql, runOfRef(ref));
  const { maxCredits = 0, used = 0, reserved = 0 } = limited ?? {};
  return { left: maxCredits - used, why: runOutOfCredits(maxCredits, used + reserved) };
}

const betweenTriesMs = 300;

/**
 * Runs a call and renews its reservation until the call ends. A single failed renewal does no harm:
 * many more follow before the reservation counts as abandoned.
 */
async function renewing<Result>(
  renew: () => Promise<void>,
  call: () => Promise<Result>,
): Promise<Result> {
  const telling = setInterval(() => void renew().catch(() => undefined), renewEveryMs);
  try {
    return await call();
  } finally {
    clearInterval(telling);
  }
}

const renewEveryMs = 60_000;
