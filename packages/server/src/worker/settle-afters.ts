/**
 * Makes the calls after trials that ended without them: their worker died, and they will not begin again. Every worker
 * looks for such trials; whoever takes one makes its calls, and nobody makes them a second time, whatever becomes of that.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { planTrials, type TrialWarning, trialSentence } from '@proofmark/domain';
import { cleanUpAlone } from '../engine/clean-up-alone.ts';
import {
  leaseOfSettler,
  listLostAfters,
  settleAfter,
  takeLeftAfters,
} from '../storage/eval-runs/owed-afters.ts';
import type { PlaceOfRun } from '../storage/eval-runs/place-of-run.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import { openEvalRun } from './open-runs.ts';
import type { RunDependencies } from './worker-dependencies.ts';

const settledAtOnce = 4;
/** No calls after a trial take as long, so whoever took them is gone. */
const lostAfterMs = 15 * 60_000;
const longestEndMs = 5000;

type LeftTrial = PlaceOfRun & { readonly ordinal: number };

export class AfterSettler {
  readonly #dependencies: RunDependencies;
  readonly #graceMs: number;
  readonly #leaving = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #isStopping = false;

  /** A worker that lives takes its own within the grace. */
  constructor(dependencies: RunDependencies, graceMs: number) {
    this.#dependencies = dependencies;
    this.#graceMs = graceMs;
  }

  /** Begins what is left and does not wait for it. Says how many those were. */
  async look(): Promise<number> {
    const { database } = this.#dependencies;
    const room = settledAtOnce - this.#underWay.size;
    if (this.#isStopping || room <= 0) return 0;
    const left = await takeLeftAfters(database.sql, this.#graceMs, room);
    for (const one of left) this.#begin(one);
    for (const { organizationId, ...lost } of await listLostAfters(database.sql, lostAfterMs)) {
      await database.tenant([organizationId], (sql) => settleAfter(sql, lost, [unknownEnd]));
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

  async #settle(left: LeftTrial): Promise<void> {
    const { database } = this.#dependencies;
    const { signal } = this.#leaving;
    const warnings = await this.#make(left);
    const { organizationId, runId, ordinal } = left;
    await retryWhileDatabaseIsAway(
      () =>
        database.tenant([organizationId], (sql) =>
          settleAfter(sql, { runId, ordinal, lease: leaseOfSettler }, warnings),
        ),
      signal,
    );
  }

  async #make(left: LeftTrial): Promise<readonly TrialWarning[]> {
    const { signal } = this.#leaving;
    const run = await openEvalRun(this.#dependencies, left, false);
    try {
      const trial = planTrials(run.plan)[left.ordinal - 1];
      if (trial === undefined) throw new Error('A trial is not part of its plan.');
      const warnings = await cleanUpAlone(run.dependencies, run.plan, trial, signal);
      return run.secrets.redactQuotes(warnings, quoted);
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

const unknownEnd: TrialWarning = {
  path: 'after',
  code: 'AFTER_UNKNOWN',
  message:
    'Whoever made the calls after this trial died meanwhile, so it is not known which of them were made. They are not made again.',
};
