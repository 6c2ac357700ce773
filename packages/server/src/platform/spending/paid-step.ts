/**
 * One call of a model that somebody pays for. Where credits are capped its worst case is set aside first, and a model
 * without a price is refused, since nobody could tell when the cap is reached. What it cost is written with whatever the
 * step brought, or by itself when it brought nothing.
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
  /** What is paid for, and which step of it. */
  readonly ref: string;
  readonly step: string;
  readonly model: string;
  readonly price: PricePerMillion | undefined;
  /** Of the request, by which its tokens are estimated. */
  readonly requestBytes: number;
  readonly mostOutputTokens?: number;
  /** Whether the launch of its run limits what that may spend. */
  readonly isOfLimitedRun?: boolean;
  /** How long it may wait, at most, while others have set credits aside and mostly give them back. */
  readonly wait?: { readonly mostMs: number; readonly signal: AbortSignal };
}

export interface PaidStep {
  /** Whether credits are kept from others until it is settled or dropped. */
  readonly isReserved: boolean;
  /** Whoever is here is not silent, however long the call waits for its place. */
  during<Result>(call: () => Promise<Result>): Promise<Result>;
  /** In the transaction that keeps what the step brought. Tokens that nobody told are null. */
  settle(sql: Sql, usage: StepUsage): Promise<void>;
  /** It was never sent. */
  drop(sql: Sql): Promise<void>;
}

export async function beginPaidStep(
  database: Database,
  creditsPerDay: number | null,
  toPay: StepToPay,
): Promise<PaidStep> {
  // What counts against the credits of a run is set aside, also where those of the day are not limited.
  const cap = creditsPerDay ?? (toPay.isOfLimitedRun === true ? largestQuota : null);
  const { place, kind, ref, step, model, price } = toPay;
  const worst =
    price === undefined ? 0 : worstCase(price, toPay.requestBytes, toPay.mostOutputTokens);
  if (cap !== null && price === undefined) throw modelUnpriced(model);
  // What costs nothing can pass no cap.
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

/** Refused where what was spent leaves no room, where nobody is under way who could give some back, or when the wait is over. */
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
      // One that was kept and not heard of is asked for again.
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

/** Without what is set aside, which mostly comes back; the refusal counts that, too. */
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

/** That it could not be told once changes nothing: it is told many times before anybody counts as silent. */
async function renewing<Result>(
  tell: () => Promise<void>,
  call: () => Promise<Result>,
): Promise<Result> {
  const telling = setInterval(() => void tell().catch(() => undefined), renewEveryMs);
  try {
    return await call();
  } finally {
    clearInterval(telling);
  }
}

const renewEveryMs = 60_000;
