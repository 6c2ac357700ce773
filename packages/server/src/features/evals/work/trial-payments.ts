/**
 * What the models of trials cost. A trial that ends is written with its cost. One that is stopped in the middle, or that
 * somebody else took over, is not written, but what was asked for it has been paid: that is written by itself, once for
 * each holder of the slice, and tried again while the database is away. Under a cap every call is set aside for first.
 */

import { setTimeout as after } from 'node:timers/promises';
import {
  type ChosenModel,
  largestQuota,
  type PlannedPrice,
  type PlannedTrial,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { CallSizes } from '../../../platform/spending/call-sizes.ts';
import type { StopReason } from '../../../platform/spending/metered-models.ts';
import {
  type Meter,
  type MeteredCredits,
  meteredModels,
} from '../../../platform/spending/metered-models.ts';
import { nameOf } from '../../../platform/spending/paying-models.ts';
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
import type { WorkerDependencies } from './worker-parts.ts';

type PaymentDependencies = Pick<WorkerDependencies, 'database' | 'log' | 'runLimits'>;

export interface TrialMeter extends Pick<Meter, 'models' | 'isOutOfCredits'> {
  /** Those of judges who are asked in the trial: each is paid for apart. */
  readonly judgeModels: Meter['models'];
  spent(): readonly TrialSpending[];
  /** Whose credits did not do, where some did not. */
  usedUp(): StopReason;
}

/** Under whose lease the models of a trial are asked. */
export type PayingWork = Pick<ClaimedWork, 'groupId' | 'lease' | 'organizationId' | 'projectId'>;

interface TrialToPay {
  readonly ordinal: number;
  readonly spent: readonly TrialSpending[];
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

  meter(work: PayingWork, { plan, dependencies }: OpenRun, trial: PlannedTrial): TrialMeter {
    const variant = plan.cases[trial.caseIndex]?.variants[trial.variantIndex];
    const { model = '', provider } = variant ?? {};
    const found = plan.prices?.find((one) => one.model === model && one.provider === provider);
    let usedUp: StopReason = 'credits';
    const onRefused = (by: SpentOut) => {
      usedUp = by === 'run' ? 'maxCredits' : 'credits';
    };
    const meterOf = (spending: SpendingOf, price: PlannedPrice | undefined) => {
      // What the organization pays for itself has no cost that is known here.
      const known = price?.isOwn ? undefined : price;
      const credits =
        known && this.#creditsOf(work, trial.ordinal, spending, plan.maxCredits, onRefused);
      return { spending, meter: meteredModels(dependencies.models, known, credits) };
    };
    const own = meterOf({ kind: 'trial_step', model }, found);
    const judges = new Map<string, ReturnType<typeof meterOf>>();
    const judgeOf = (chosen: ChosenModel) => {
      const name = nameOf(chosen);
      const price = chosen.hosted ? plan.prices?.find((one) => isPriceOf(one, name)) : undefined;
      const judge = judges.get(name) ?? meterOf({ kind: 'judge', model: name }, price);
      judges.set(name, judge);
      return judge.meter.models;
    };
    const all = () => [own, ...judges.values()];
    return {
      models: own.meter.models,
      judgeModels: { generate: (...asked) => judgeOf(asked[0]).generate(...asked) },
      isOutOfCredits: () => all().some(({ meter }) => meter.isOutOfCredits()),
      usedUp: () => usedUp,
      spent: () =>
        all().flatMap(({ spending, meter }) => {
          const cost = meter.cost();
          const isReserved = meter.isReserved();
          return cost === null && !isReserved ? [] : { ...spending, cost, isReserved };
        }),
    };
  }

  /** Never rejects: whoever lost a trial has something else to tell. Told twice, it is paid once. */
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

type SpendingOf = Pick<TrialSpending, 'kind' | 'model'>;

/** Of a hosted model, however the launch named it. */
function isPriceOf({ model, provider }: PlannedPrice, hostedId: string): boolean {
  return model === hostedId || `${provider}/${model}` === hostedId;
}

const longestCloseMs = 5000;
