/**
 * An ended trial is written together with its cost. The model calls of an interrupted trial also
 * cost money, so their cost is written separately, once per lease of the slice. If spending is
 * limited, the cost of every call is reserved first.
 */

import { setTimeout as after } from 'node:timers/promises';
import { largestQuota, type PlannedTrial } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { CallSizes } from '../../../platform/spending/call-sizes.ts';
import type { MeteredCredits } from '../../../platform/spending/metered-models.ts';
import type { TrialSpending } from '../../../platform/spending/store/paid-trials.ts';
import { paidFor, payTrials, stepOfTrial } from '../../../platform/spending/store/paid-trials.ts';
import {
  keepSpent,
  reserveAnew,
  type SpentOut,
} from '../../../platform/spending/store/reservations.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import type { OpenRun } from './open-runs.ts';
import { meterTrial, type SpendingOf, type TrialMeter } from './trial-meter.ts';
import type { WorkerDependencies } from './worker-parts.ts';

type PaymentDependencies = Pick<WorkerDependencies, 'database' | 'log' | 'runLimits'>;

export type PayingWork = Pick<ClaimedWork, 'groupId' | 'lease' | 'organizationId' | 'projectId'>;

interface TrialToPay {
  readonly ordinal: number;
  readonly spent: readonly TrialSpending[];
}

export class TrialPayments {
  readonly #dependencies: PaymentDependencies;
  /**
   * One entry per organization, so that an organization that waits for credits does not delay the
   * others.
   */
  readonly #sizes = new Map<string, CallSizes>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #isOver = new AbortController();

  constructor(dependencies: PaymentDependencies) {
    this.#dependencies = dependencies;
  }

  meter(work: PayingWork, { plan, dependencies }: OpenRun, trial: PlannedTrial): TrialMeter {
    return meterTrial(plan, dependencies.models, trial, (spending, onRefused) =>
      this.#creditsOf(work, trial.ordinal, spending, plan.maxCredits, onRefused),
    );
  }

  /**
   * Never rejects, because the caller is already handling another error. A repeated call pays only
   * once.
   */
  pay(work: PayingWork, trial: TrialToPay): Promise<void> {
    const { database, log } = this.#dependencies;
    const trials = paidFor(work.groupId, trial, work);
    if (trials.length === 0) return Promise.resolve();
    const paying = retryWhileDatabaseIsAway(
      () => database.tenant([work.organizationId], (sql) => payTrials(sql, work, trials)),
      this.#isOver.signal,
    )
      .catch((error: unknown) => {
        const about = { err: error, runId: work.groupId };
        log.warn(about, 'the cost of a lost trial could not be stored');
      })
      .finally(() => this.#underWay.delete(paying));
    this.#underWay.add(paying);
    return paying;
  }

  /** Waits for pending writes. Costs that are not written before the time limit are lost. */
  async close(): Promise<void> {
    const isTooLate = new AbortController();
    const paid = Promise.all(this.#underWay);
    await Promise.race([
      paid,
      after(longestCloseMs, undefined, { signal: isTooLate.signal }).catch(() => undefined),
    ]);
    isTooLate.abort();
    this.#isOver.abort(new Error('The service is stopping.'));
  }

  #sizesOf(organizationId: string): CallSizes {
    const known = this.#sizes.get(organizationId) ?? new CallSizes();
    this.#sizes.set(organizationId, known);
    return known;
  }

  #creditsOf(
    work: PayingWork,
    ordinal: number,
    spending: SpendingOf,
    maxCredits: number | undefined,
    onRefused: (by: SpentOut) => void,
  ): MeteredCredits | undefined {
    const { database, runLimits } = this.#dependencies;
    const isOfLimitedRun = maxCredits !== undefined;
    const { creditsPerDay } = runLimits;
    if (creditsPerDay === null && !isOfLimitedRun) return undefined;
    const cap = creditsPerDay ?? largestQuota;
    const { model } = spending;
    const step = { ...stepOfTrial(work.groupId, ordinal, spending, work.lease), model };
    const inTenant = <Result>(write: (sql: Sql) => Promise<Result>, signal: AbortSignal) =>
      retryWhileDatabaseIsAway(() => database.tenant([work.organizationId], write), signal);
    return {
      sizes: this.#sizesOf(work.organizationId),
      async keep(spent, isUnderWay, signal) {
        const kept = { ...step, credits: spent };
        await inTenant((sql) => keepSpent(sql, work, kept, isUnderWay), signal);
      },
      async reserve(wanted, signal) {
        const asked = { ...step, ...wanted };
        const tried = await inTenant(
          (sql) => reserveAnew(sql, work, asked, cap, { isOfLimitedRun }),
          signal,
        );
        if (tried.spentOut !== undefined) onRefused(tried.spentOut);
        return tried;
      },
    };
  }
}

const longestCloseMs = 5000;
