/**
 * One call of a model that somebody pays for. Where credits are capped its worst case is set aside first, and a model
 * without a price is refused, since nobody could tell when the cap is reached. What it cost is written with whatever the
 * step brought, or by itself when it brought nothing.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  costOfCalls,
  type LedgerKind,
  modelUnpriced,
  outOfCredits,
  type PricePerMillion,
  type StepUsage,
  worstCase,
} from '@proofmark/domain';
import type { Database, Sql } from '../../storage/database/database.ts';
import { readCreditsOfToday, readSpentToday } from '../../storage/spending/daily-counters.ts';
import type { PlaceOfSpending } from '../../storage/spending/ledger.ts';
import { release, reserveCredits, settle } from '../../storage/spending/reservations.ts';

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
  /** How long it may wait for credits that others have set aside, and mostly give back. */
  readonly wait?: { readonly mostMs: number; readonly signal: AbortSignal };
}

export interface PaidStep {
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
  const { place, kind, ref, step, model, price } = toPay;
  const worst =
    price === undefined ? 0 : worstCase(price, toPay.requestBytes, toPay.mostOutputTokens);
  if (creditsPerDay !== null && price === undefined) throw modelUnpriced(model);
  // What costs nothing can pass no cap.
  if (creditsPerDay !== null && worst > 0) {
    await setAside(database, creditsPerDay, toPay, worst);
  }
  return {
    settle: (sql, usage) => {
      const cost = costOfCalls(price, [{ usage, worst }], creditsPerDay !== null);
      return settle(sql, place, { kind, ref, step, model, ...cost });
    },
    drop: (sql) => release(sql, [{ kind, ref, step }]),
  };
}

/** Refused at once where what was spent leaves no room; else when the wait is over. */
async function setAside(
  database: Database,
  cap: number,
  { place, kind, ref, step, model, wait }: StepToPay,
  credits: number,
): Promise<void> {
  const { organizationId } = place;
  const endsAtMs = performance.now() + (wait?.mostMs ?? 0);
  for (;;) {
    const refused = await database.tenant([organizationId], async (sql) => {
      const reservation = { kind, ref, step, model, credits };
      const { isReserved } = await reserveCredits(sql, place, reservation, cap);
      if (isReserved) return undefined;
      const mayCome = (await readSpentToday(sql, organizationId)) + credits <= cap;
      return { mayCome, why: outOfCredits(cap, await readCreditsOfToday(sql, organizationId)) };
    });
    if (refused === undefined) return;
    if (!refused.mayCome || performance.now() >= endsAtMs) throw refused.why;
    await after(betweenTriesMs, undefined, wait && { signal: wait.signal });
  }
}

const betweenTriesMs = 300;
