/**
 * The calls before and after one trial's steps. The calls after the steps become due when the first
 * call before the steps starts, or else the first step. From then on they are made even if the
 * trial fails, with their own time limits.
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
  /**
   * The context for the clean-up calls. It is set as soon as an action starts that needs a
   * clean-up.
   */
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
   * Called immediately before the first step. Returns a sentence if the trial could not be
   * prepared.
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
      // After an internal error, calls may have been sent, so a clean-up is needed.
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

/** The default if no other process can make the clean-up calls: this process makes them. */
const ownAlone: AfterOfTrial = {
  owe: async () => undefined,
  withdraw: async () => undefined,
  make: async (calls) => void (await calls(new AbortController().signal, () => undefined)),
};
