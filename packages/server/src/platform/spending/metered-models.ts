/**
 * Models that note what is asked of them, for somebody who writes it down at the end: also when that end is a sudden one.
 * Where a cap applies, the worst case of a call is set aside before it is sent.
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

/** Why a run stopped before its end. */
export type StopReason = 'credits' | 'maxCredits';

export interface Meter {
  readonly models: Pick<ModelGateway, 'generate'>;
  /** Of all calls that were sent until now, those under way included; null where there were none. */
  cost(): CostOfCalls | null;
  /** Whether something was set aside, which whoever writes the cost down gives back. */
  isReserved(): boolean;
  /** Whether a call was not sent because the credits did not do. */
  isOutOfCredits(): boolean;
}

/** What the calls may spend, where a cap applies. */
export interface MeteredCredits {
  readonly sizes: CallSizes;
  /**
   * Sets `credits` aside for all calls so far, in place of what was before; `spent` of them are gone already, or are the
   * worst case of calls under way. Where that does not fit: whether it may be tried again, since some may come back.
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
   * A call has ended. What is left of its worst case comes back at once, since a tool may now take long; more than that
   * others must know before they set aside more. Where no other call `isUnderWay`, nobody waits for the rest.
   */
  keep(spent: number, isUnderWay: boolean, signal: AbortSignal): Promise<void>;
}

export class CreditsUsedUp extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason = 'credits') {
    super('The credits do not do for another call of a model.');
    this.reason = reason;
  }
}

interface Call extends MeteredCall {
  usage: MeteredCall['usage'];
  /** It costs nothing as yet: it waits for its turn, or was refused and will be sent again. */
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
  /** Calls of one trial at the same time ask one after the other, and none keeps another from giving back while it waits. */
  let reserving: Promise<unknown> = Promise.resolve();
  /** Those that have not ended count at their worst. */
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
        // For good, though a smaller call may fit: what was not asked says nothing about the rest.
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
      // Whoever is stopped writes down what it cost, and gives the rest back with that.
      if (!options.signal.aborted) await inOrder(() => keepSpent(options.signal));
      // Lets others begin, so what this one cost is known by then.
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

/** The clocks of whoever asks stand still until `onHeld(false)` was heard. */
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
