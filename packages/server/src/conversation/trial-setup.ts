/**
 * The calls around one trial. Those after it are due from the start of those before it, or of the
 * first step if there are none; they are made whatever happens then, with separate time limits and
 * answers. A trial that is stopped before the first call was sent has nothing to clean up, so none
 * are due. If the trial begins again, all of them are made again.
 */
import {
  type PlannedCase,
  type RunPlan,
  type SetupList,
  type SetupPart,
  setupLists,
  type TrialWarning,
} from '@proofmark/domain';
import { makeSetupCalls, type SetupCalls, teardownWarnings } from './make-setup-calls.ts';
import type { TimeOfCalls } from './time-of-calls.ts';
import type { TrialContext } from './trial-context.ts';
import type { AfterOfTrial } from './trial-dependencies.ts';

export class TrialSetup {
  readonly #plan: RunPlan;
  readonly #planned: PlannedCase;
  readonly #time: TimeOfCalls;
  readonly #owed: AfterOfTrial;
  /** Set once something is about to begin that needs a clean-up. */
  #owing: TrialContext | undefined;
  #hasBegun = false;
  #before: SetupCalls | undefined;
  #after: SetupCalls | undefined;
  #tookMs = 0;

  constructor(
    plan: RunPlan,
    planned: PlannedCase,
    time: TimeOfCalls,
    owed: AfterOfTrial = ownAlone,
  ) {
    this.#plan = plan;
    this.#planned = planned;
    this.#time = time;
    this.#owed = owed;
  }

  /**
   * Called right before the first step. Returns one sentence if the trial could not be prepared.
   */
  begin(context: TrialContext): Promise<string | undefined> {
    return this.#timed(context, async () => {
      this.#owing = context;
      if (this.#lists('after').length > 0) await this.#owed.owe();
      const lists = this.#lists('before');
      context.signal.throwIfAborted();
      if (lists.length === 0) {
        this.#hasBegun = true;
        return undefined;
      }
      this.#before = await this.#makeBefore(context, lists);
      return this.#before.failures[0]?.reason;
    });
  }

  async #makeBefore(context: TrialContext, lists: readonly SetupList[]): Promise<SetupCalls> {
    const onBegun = () => {
      this.#hasBegun = true;
    };
    try {
      return await makeSetupCalls(context, 'before', lists, { time: this.#time, onBegun });
    } catch (error) {
      // After a failure of our own it is unknown which calls were sent before.
      if (!context.signal.aborted) onBegun();
      throw error;
    }
  }

  async cleanUp(): Promise<void> {
    const owing = this.#owing;
    const lists = this.#lists('after');
    if (owing === undefined || lists.length === 0) return;
    if (!this.#hasBegun) return this.#owed.withdraw();
    const make = async (signal: AbortSignal, onBegun: () => void) => {
      const { servers } = owing.dependencies;
      const dependencies = { ...owing.dependencies, servers: servers.after ?? servers };
      const context = { ...owing, dependencies, signal };
      owing.answers.beginAnew(signal);
      this.#after = await makeSetupCalls(context, 'after', lists, { time: this.#time, onBegun });
      return this.warnings;
    };
    await this.#timed(owing, () => this.#owed.make(make));
  }

  get warnings(): TrialWarning[] {
    return teardownWarnings(this.#after?.failures ?? []);
  }

  /** The calls in the form of the trace. */
  get records() {
    return {
      ...(this.#before && { before: this.#before.records }),
      ...(this.#after && { after: this.#after.records }),
    };
  }

  get tookMs(): number {
    return this.#tookMs;
  }

  #lists(part: SetupPart): SetupList[] {
    return setupLists(part, this.#plan, this.#planned);
  }

  async #timed<Result>({ log }: TrialContext, work: () => Promise<Result>): Promise<Result> {
    const startedMs = log.nowMs();
    try {
      return await work();
    } finally {
      this.#tookMs += log.nowMs() - startedMs;
    }
  }
}

/** Used if no other process could make them. */
const ownAlone: AfterOfTrial = {
  owe: async () => undefined,
  withdraw: async () => undefined,
  make: async (calls) => void (await calls(new AbortController().signal, () => undefined)),
};
