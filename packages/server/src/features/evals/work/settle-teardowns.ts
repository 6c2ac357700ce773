/**
 * Makes the cleanup calls of ended trials whose worker died before making them. Every worker looks
 * for such trials. The worker that leases a trial makes its calls, and no other worker makes them
 * again, regardless of the outcome.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { planTrials, type TrialWarning, trialSentence } from '@proofmark/domain';
import { teardownAlone } from '../../../conversation/teardown-alone.ts';
import { isPassing } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  leaseAbandonedTeardowns,
  leaseOfTeardownSettler,
  listLostTeardowns,
  settleTeardown,
} from '../store/owed-teardowns.ts';
import type { RunLocation } from '../store/run-location.ts';
import { makeLeasedTeardown, silenceOfDead } from './make-leased-teardown.ts';
import { type OpenRun, openEvalRun } from './open-runs.ts';
import type { TrialPayments } from './trial-payments.ts';
import type { RunDependencies } from './worker-parts.ts';

const settledAtOnce = 4;
const longestEndMs = 5000;

type LeftTrial = RunLocation & { readonly ordinal: number };

export class TeardownSettler {
  readonly #dependencies: RunDependencies;
  readonly #payments: TrialPayments;
  readonly #leaseMs: number;
  readonly #leaving = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #isStopping = false;

  /**
   * `leaseMs` is also the grace period: until it has passed, a living worker takes the cleanup
   * calls of its own trials.
   */
  constructor(dependencies: RunDependencies, payments: TrialPayments, leaseMs: number) {
    this.#dependencies = dependencies;
    this.#payments = payments;
    this.#leaseMs = leaseMs;
  }

  /**
   * Starts making abandoned cleanup calls without waiting for them. Returns the number of their
   * trials.
   */
  async look(): Promise<number> {
    const { database } = this.#dependencies;
    const freeSlots = settledAtOnce - this.#underWay.size;
    if (this.#isStopping || freeSlots <= 0) return 0;
    const left = await leaseAbandonedTeardowns(database.sql, this.#leaseMs, freeSlots);
    for (const one of left) this.#begin(one);
    const silentMs = silenceOfDead(this.#leaseMs);
    for (const { organizationId, ...lost } of await listLostTeardowns(database.sql, silentMs)) {
      await database.tenant([organizationId], (sql) => settleTeardown(sql, lost, [unknownEnd]));
    }
    return left.length;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const ended = Promise.all(this.#underWay);
    await Promise.race([ended, wait(longestEndMs, undefined, { ref: false })]);
    this.#leaving.abort(new Error('The process stops.'));
    await ended;
  }

  #begin(left: LeftTrial): void {
    const { log } = this.#dependencies;
    const settling = this.#settle(left)
      .catch((error: unknown) => {
        const { runId, ordinal } = left;
        log.error({ err: error, runId, ordinal }, 'the calls after a trial could not be made');
      })
      .finally(() => this.#underWay.delete(settling));
    this.#underWay.add(settling);
  }

  #settle(left: LeftTrial): Promise<void> {
    const { organizationId, runId, ordinal } = left;
    const taken = { organizationId, runId, ordinal, lease: leaseOfTeardownSettler };
    const under = { signal: this.#leaving.signal, leaseMs: this.#leaseMs };
    return makeLeasedTeardown(this.#dependencies.database, taken, under, (signal, onBegun) =>
      this.#make(left, signal, onBegun),
    );
  }

  /** Returns undefined if the run cannot be opened and a retry would not help. */
  async #open(left: LeftTrial): Promise<OpenRun | undefined> {
    try {
      return await openEvalRun(this.#dependencies, left, false);
    } catch (error) {
      if (isPassing(error)) throw error;
      const { runId, ordinal } = left;
      this.#dependencies.log.error({ err: error, runId, ordinal }, 'a run could not be opened');
      return undefined;
    }
  }

  /**
   * If a server asks for a model during these calls, the usage is charged like that of the trial.
   */
  async #make(
    left: LeftTrial,
    signal: AbortSignal,
    onBegun: () => void,
  ): Promise<readonly TrialWarning[]> {
    const { ordinal } = left;
    const run = await this.#open(left);
    if (run === undefined) return [unopened];
    try {
      const trial = planTrials(run.plan)[ordinal - 1];
      if (trial === undefined)
        throw new Error('Internal fault: the plan of the run does not contain one of its trials.');
      const work = { ...left, groupId: left.runId, lease: leaseOfTeardownSettler };
      const meter = this.#payments.meter(work, run, trial);
      try {
        const dependencies = { ...run.dependencies, models: meter.models };
        const warnings = await teardownAlone(dependencies, run.plan, trial, signal, onBegun);
        return run.secrets.redactQuotes(warnings, quoted);
      } finally {
        void this.#payments.pay(work, { ordinal, spent: meter.spent() });
      }
    } catch (error) {
      signal.throwIfAborted();
      const message = `The calls after the trial could not be made: ${trialSentence(error)}`;
      return run.secrets.redactQuotes([{ path: 'after', code: 'AFTER_FAILED', message }], quoted);
    } finally {
      await run.close();
    }
  }
}

const quoted: ReadonlySet<string> = new Set(['message']);

const unopened: TrialWarning = {
  path: 'after',
  code: 'AFTER_FAILED',
  message: 'The calls after the trial could not be made: the service could not open the run.',
};

const unknownEnd: TrialWarning = {
  path: 'after',
  code: 'AFTER_UNKNOWN',
  message:
    'The calls after this trial started, but it is unknown whether they finished, so some may not have arrived. They are not made again.',
};
