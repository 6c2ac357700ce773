/**
 * What the models of trials cost. A trial that ends is written with its cost. One that is stopped in the middle, or that
 * somebody else took over, is not written, but what was asked for it has been paid: that is written by itself, once for
 * each holder of the slice, and tried again while the database is away. Under a cap every call is set aside for first.
 */
import { setTimeout as after } from 'node:timers/promises';
import { largestQuota, type PlannedTrial } from '@proofmark/domain';
import { CallSizes } from '../actions/spending/call-sizes.ts';
import {
  type Meter,
  type MeteredCredits,
  meteredModels,
} from '../actions/spending/metered-models.ts';
import type { Sql } from '../storage/database/database.ts';
import type { StopReason } from '../storage/eval-runs/eval-runs.ts';
import type { TrialSpending } from '../storage/spending/paid-trials.ts';
import { paidFor, payTrials, stepOfTrial } from '../storage/spending/paid-trials.ts';
import { keepSpent, reserveAnew, type SpentOut } from '../storage/spending/reservations.ts';
import type { ClaimedWork } from '../storage/work/leased-work.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import type { OpenRun } from './open-runs.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

type PaymentDependencies = Pick<WorkerDependencies, 'database' | 'log' | 'runLimits'>;

export interface TrialMeter extends Pick<Meter, 'models' | 'isOutOfCredits'> {
  spent(): TrialSpending | null;
  /** Whose credits did not do, where some did not. */
  usedUp(): StopReason;
}

interface TrialToPay {
  readonly ordinal: number;
  readonly spent: TrialSpending | null;
}

export class TrialPayments {
  readonly #dependencies: PaymentDependencies;
  /** By organization: one that waits for its credits holds up no other. */
  readonly #sizes = new Map<string, CallSizes>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #isOver = new AbortController();

  constructor(dependencies: PaymentDependencies) {
    this.#dependencies = dependencies;
  }

  meter(work: ClaimedWork, { plan, dependencies }: OpenRun, trial: PlannedTrial): TrialMeter {
    const variant = plan.cases[trial.caseIndex]?.variants[trial.variantIndex];
    const { model = '', provider } = variant ?? {};
    const found = plan.prices?.find((one) => one.model === model && one.provider === provider);
    // What the organization pays for itself has no cost that is known here.
    const price = found?.isOwn ? undefined : found;
    let usedUp: StopReason = 'credits';
    const credits =
      price &&
      this.#creditsOf(work, trial.ordinal, model, plan.maxCredits, (by) => {
        usedUp = by === 'run' ? 'maxCredits' : 'credits';
      });
    const meter = meteredModels(dependencies.models, price, credits);
    return {
      models: meter.models,
      isOutOfCredits: meter.isOutOfCredits,
      usedUp: () => usedUp,
      spent() {
        const cost = meter.cost();
        const isReserved = meter.isReserved();
        return cost === null && !isReserved ? null : { model, cost, isReserved };
      },
    };
  }

  /** Never rejects: whoever lost a trial has something else to tell. Told twice, it is paid once. */
  pay(work: ClaimedWork, trial: TrialToPay): Promise<void> {
    const { database, log } = this.#dependencies;
    const trials = paidFor(work.groupId, trial, work);
    if (trials.length === 0) return Promise.resolve();
    const paying = retryWhileDatabaseIsAway(
      () => database.tenant([work.organizationId], (sql) => payTrials(sql, work, trials)),
      this.#isOver.signal,
    )
      .catch((error: unknown) => {
        const about = { err: error, runId: work.groupId };
        log.warn(about, 'what a lost trial cost was not written down');
      })
      .finally(() => this.#underWay.delete(paying));
    this.#underWay.add(paying);
    return paying;
  }

  /** What is not paid by then is lost with the process. */
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
    work: ClaimedWork,
    ordinal: number,
    model: string,
    maxCredits: number | undefined,
    onRefused: (by: SpentOut) => void,
  ): MeteredCredits | undefined {
    const { database, runLimits } = this.#dependencies;
    const isOfLimitedRun = maxCredits !== undefined;
    const { creditsPerDay } = runLimits;
    if (creditsPerDay === null && !isOfLimitedRun) return undefined;
    const cap = creditsPerDay ?? largestQuota;
    const step = { ...stepOfTrial(work.groupId, ordinal, model, work.lease), model };
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
