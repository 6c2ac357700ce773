/** Models that note what is asked of them, for somebody who writes it down at the end: also when that end is a sudden one. */
import {
  type CostOfCalls,
  costOfCalls,
  type MeteredCall,
  type PricePerMillion,
  worstCase,
} from '@proofmark/domain';
import type { ModelGateway } from '../../model/model-gateway.ts';
import { usageOfFailure, usageOfReply } from './usage-of-call.ts';

export interface Meter {
  readonly models: Pick<ModelGateway, 'generate'>;
  /** Of all calls until now, those under way included; null where there were none. */
  cost(): CostOfCalls | null;
}

export function meteredModels(
  models: Pick<ModelGateway, 'generate'>,
  price: PricePerMillion | undefined,
  isCapped: boolean,
): Meter {
  const calls: MeteredCall[] = [];
  const unknown = { inputTokens: null, outputTokens: null };
  return {
    models: {
      async generate(model, request, options) {
        const bytes = Buffer.byteLength(JSON.stringify(request));
        const worst = price === undefined ? 0 : worstCase(price, bytes, request.maxOutputTokens);
        const place = calls.push({ usage: unknown, worst }) - 1;
        try {
          const reply = await models.generate(model, request, options);
          calls[place] = { usage: usageOfReply(reply), worst };
          return reply;
        } catch (error) {
          calls[place] = { usage: usageOfFailure(error), worst };
          throw error;
        }
      },
    },
    cost: () => (calls.length === 0 ? null : costOfCalls(price, calls, isCapped)),
  };
}
