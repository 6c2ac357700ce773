/**
 * The calls around one trial. Those after it are owed from the moment those before it begin, or the first step where there
 * are none; they are made whatever happened from then on, in a time and with answers of their own. A trial that is stopped
 * before the first of those before it was sent has nothing to clean up, and owes nothing. Where the trial will begin again,
 * all of it is made anew.
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
  /** Once something is about to begin that is to be cleaned up. */
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

  /** Right before the first step. One sentence, where the trial could not be prepared. */
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
      // Of a failure of our own nobody knows what was sent before it.
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

  /** As the trace tells them. */
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

/** Where nobody else could make them. */
const ownAlone: AfterOfTrial = {
  owe: async () => undefined,
  withdraw: async () => undefined,
  make: async (calls) => void (await calls(new AbortController().signal, () => undefined)),
};
