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
import type { ModelGateway } from '../../model/model-gateway.ts';
import type { CallSizes } from './call-sizes.ts';
import { nameOf } from './paying-models.ts';
import { unknownUsage, usageOfFailure, usageOfReply } from './usage-of-call.ts';

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
   * Sets `credits` aside for all calls so far, in place of what was before; `spent` of them are gone already. Waits while
   * others may give some back. Whether it could.
   */
  reserve(credits: number, spent: number, signal: AbortSignal): Promise<boolean>;
  /** More was spent than was set aside; others must know before they set aside more. */
  exceed(spent: number, signal: AbortSignal): Promise<void>;
}

export class CreditsUsedUp extends Error {
  constructor() {
    super('The credits of the organization do not do for another call of a model.');
  }
}

interface Call extends MeteredCall {
  usage: MeteredCall['usage'];
  /** It costs nothing as yet: it waits for its turn, or was refused and will be sent again. */
  isWaiting: boolean;
}

export function meteredModels(
  models: Pick<ModelGateway, 'generate'>,
  price: PricePerMillion | undefined,
  capped?: MeteredCredits,
): Meter {
  const calls = new Set<Call>();
  let reserved: number | undefined;
  let isOutOfCredits = false;
  /** Calls of one trial at the same time ask one after the other. */
  let reserving: Promise<unknown> = Promise.resolve();
  /** Those that have not ended count at their worst. */
  const spentSoFar = () => costOfCalls(price, [...calls], true).credits;
  const reserve = async ({ reserve }: MeteredCredits, call: Call, signal: AbortSignal) => {
    const spent = spentSoFar();
    reserved = spent + call.worst;
    if (!(await reserve(reserved, spent, signal))) {
      // For good, though a smaller call may fit: what was not asked says nothing about the rest.
      isOutOfCredits = true;
      throw new CreditsUsedUp();
    }
    calls.add(call);
  };
  const inOrder = (work: () => Promise<void>) => {
    const done = reserving.then(work);
    reserving = done.catch(() => undefined);
    return done;
  };
  const setMoreAside = async (signal: AbortSignal) => {
    const spent = spentSoFar();
    if (reserved === undefined || spent <= reserved) return;
    reserved = spent;
    await capped?.exceed(spent, signal);
  };
  const generate: ModelGateway['generate'] = async (model, request, options) => {
    const bytes = Buffer.byteLength(JSON.stringify(request));
    const seen = capped?.sizes.of(nameOf(model));
    const worst = price === undefined ? 0 : worstCase(price, bytes, request.maxOutputTokens, seen);
    const call: Call = { usage: unknownUsage, worst, isWaiting: true };
    if (capped !== undefined && worst > 0) {
      await inOrder(() => reserve(capped, call, options.signal));
    } else calls.add(call);
    const onSent = (isSent: boolean) => {
      call.isWaiting = !isSent;
      options.onSent?.(isSent);
    };
    try {
      const reply = await models.generate(model, request, { ...options, onSent });
      call.isWaiting = false;
      call.usage = usageOfReply(reply);
      await inOrder(() => setMoreAside(options.signal));
      return reply;
    } catch (error) {
      if (call.isWaiting) calls.delete(call);
      else if (call.usage === unknownUsage) call.usage = usageOfFailure(error);
      throw error;
    } finally {
      if (!call.isWaiting) capped?.sizes.note(nameOf(model), bytes, call.usage);
    }
  };
  return {
    models: {
      generate: (...asked) => {
        const [model, , { signal }] = asked;
        if (capped === undefined) return generate(...asked);
        return capped.sizes.inTurn(nameOf(model), signal, () => generate(...asked));
      },
    },
    cost() {
      const sent = [...calls].filter(({ isWaiting }) => !isWaiting);
      return sent.length === 0 ? null : costOfCalls(price, sent, capped !== undefined);
    },
    isReserved: () => reserved !== undefined,
    isOutOfCredits: () => isOutOfCredits,
  };
}
