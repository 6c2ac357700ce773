/**
 * Wraps models and measures the cost of their calls. The caller can read the cost at any time, even
 * if the work ends abruptly. Under a credit limit, the worst case of a call is reserved before the
 * call is sent.
 */
import {
  type CostOfCalls,
  costOfCalls,
  type MeteredCall,
  type PricePerMillion,
  worstCase,
} from '@proofmark/domain';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import { pause } from '../database/pause.ts';
import type { CallSizes } from './call-sizes.ts';
import { nameOf } from './paying-models.ts';
import { unknownUsage, usageOfFailure, usageOfReply } from './usage-of-call.ts';

export type StopReason = 'credits' | 'maxCredits';

export interface Meter {
  readonly models: Pick<ModelGateway, 'generate'>;
  /** The cost of all calls sent so far, including unfinished ones; null if none was sent. */
  cost(): CostOfCalls | null;
  /** True if credits are reserved. The code that writes the cost must then release them. */
  isReserved(): boolean;
  isOutOfCredits(): boolean;
}

export interface MeteredCredits {
  readonly sizes: CallSizes;
  /**
   * Replaces the earlier reservation by one of `credits` for all calls so far. `spent` is the part
   * of `credits` for ended calls and for the worst case of unfinished calls. If too few credits are
   * left, `mayWait` is true if other steps may still release credits.
   */
  reserve(
    wanted: {
      readonly credits: number;
      readonly spent: number;
      readonly isUnderWay: boolean;
    },
    signal: AbortSignal,
  ): Promise<{ readonly isReserved: boolean; readonly mayWait: boolean }>;
  /**
   * Reduces the reservation to `spent` at the end of a call, since a long tool call may follow, in
   * which other steps need the credits. A cost above the worst case must be recorded before other
   * calls reserve more. `isUnderWay` is true if another call of the trial is still running.
   */
  keep(spent: number, isUnderWay: boolean, signal: AbortSignal): Promise<void>;
}

export class CreditsUsedUp extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason = 'credits') {
    super('The remaining credits do not cover another model call.');
    this.reason = reason;
  }
}

interface Call extends MeteredCall {
  usage: MeteredCall['usage'];
  /**
   * True while the call costs nothing: it waits for its turn, or the provider rejected it and it
   * will be sent again.
   */
  isWaiting: boolean;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the members of one meter, which share its calls and what they reserved.
export function meteredModels(
  models: Pick<ModelGateway, 'generate'>,
  price: PricePerMillion | undefined,
  capped?: MeteredCredits,
): Meter {
  const calls = new Set<Call>();
  let underWay = 0;
  let isReserved = false;
  let isOutOfCredits = false;
  /**
   * The queue of reservations: concurrent calls of one trial reserve credits one after the other. A
   * call that waits for credits leaves the queue, so that another call can release credits.
   */
  let reserving: Promise<unknown> = Promise.resolve();
  /** Returns the credits spent so far; unfinished calls count with their worst case. */
  const spentSoFar = () => costOfCalls(price, [...calls], true).credits;
  const begin = (call: Call) => {
    calls.add(call);
    underWay += 1;
  };
  const tryToReserve = async (capped: MeteredCredits, call: Call, signal: AbortSignal) => {
    const spent = spentSoFar();
    isReserved = true;
    const wanted = { credits: spent + call.worst, spent, isUnderWay: underWay > 0 };
    const tried = await capped.reserve(wanted, signal);
    if (tried.isReserved) begin(call);
    return tried;
  };
  const reserve = async (capped: MeteredCredits, call: Call, signal: AbortSignal) => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const tried = await inOrder(() => tryToReserve(capped, call, signal));
      if (tried.isReserved) return;
      if (!tried.mayWait) {
        // From now on the trial counts as out of credits, even if a smaller call would still fit:
        // without the answer to this call, the rest of the trial has no value.
        isOutOfCredits = true;
        throw new CreditsUsedUp();
      }
      await pause(waitMs, signal);
    }
  };
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = reserving.then(work);
    reserving = done.catch(() => undefined);
    return done;
  };
  const keepSpent = async (signal: AbortSignal) => {
    if (isReserved) await capped?.keep(spentSoFar(), underWay > 0, signal);
  };
  const generate: ModelGateway['generate'] = async (model, request, options) => {
    const bytes = Buffer.byteLength(JSON.stringify(request));
    const seen = capped?.sizes.of(nameOf(model));
    const worst = price === undefined ? 0 : worstCase(price, bytes, request.maxOutputTokens, seen);
    const call: Call = { usage: unknownUsage, worst, isWaiting: true };
    if (capped !== undefined && worst > 0) await reserve(capped, call, options.signal);
    else begin(call);
    if (capped !== undefined) options.onHeld?.(false);
    const onSent = (isSent: boolean) => {
      call.isWaiting = !isSent;
      options.onSent?.(isSent);
    };
    try {
      const reply = await models.generate(model, request, { ...options, onSent });
      call.isWaiting = false;
      call.usage = usageOfReply(reply);
      return reply;
    } catch (error) {
      if (call.isWaiting) calls.delete(call);
      else if (call.usage === unknownUsage) call.usage = usageOfFailure(error);
      throw error;
    } finally {
      underWay -= 1;
      // If the trial was stopped, nothing is released here: the code that stores its cost also
      // releases the rest.
      if (!options.signal.aborted) await inOrder(() => keepSpent(options.signal));
      // Noting the size lets other calls of the model begin, so it must come after the cost of this
      // call was recorded.
      if (!call.isWaiting) capped?.sizes.note(nameOf(model), bytes, call.usage);
    }
  };
  return {
    models: {
      generate: (...asked) => {
        const [model, , options] = asked;
        if (capped === undefined) return generate(...asked);
        return whileHeld(options, (held) =>
          capped.sizes.inTurn(nameOf(model), options.signal, () =>
            generate(asked[0], asked[1], held),
          ),
        );
      },
    },
    cost() {
      const sent = [...calls].filter(({ isWaiting }) => !isWaiting);
      return sent.length === 0 ? null : costOfCalls(price, sent, capped !== undefined);
    },
    isReserved: () => isReserved,
    isOutOfCredits: () => isOutOfCredits,
  };
}

/** Pauses the caller's time limits (`onHeld(true)`) until the call has its credits or ends. */
async function whileHeld<Result>(
  options: AskOptions,
  ask: (options: AskOptions) => Promise<Result>,
): Promise<Result> {
  let isHeld = true;
  options.onHeld?.(true);
  const onHeld = () => {
    if (isHeld) options.onHeld?.(false);
    isHeld = false;
  };
  try {
    return await ask({ ...options, onHeld });
  } finally {
    onHeld();
  }
}

const firstWaitMs = 100;
const longestWaitMs = 1000;

type AskOptions = Parameters<ModelGateway['generate']>[2];
