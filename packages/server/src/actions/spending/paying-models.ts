/** Models whose every call is paid for: by a row of the ledger, and under a cap by credits that are set aside first. */
import { randomUUID } from 'node:crypto';
import {
  type ChosenModel,
  freePrice,
  type LedgerKind,
  type PricePerMillion,
  type StepUsage,
} from '@proofmark/domain';
import type { ModelGateway } from '../../model/model-gateway.ts';
import type { Database } from '../../storage/database/database.ts';
import type { PlaceOfSpending } from '../../storage/spending/ledger.ts';
import { beginPaidStep } from './paid-step.ts';

export interface Payer {
  readonly database: Database;
  readonly creditsPerDay: number | null;
  readonly place: PlaceOfSpending;
  readonly kind: LedgerKind;
  /** What the calls are made for. */
  readonly ref: string;
}

export function payingModels(
  models: Pick<ModelGateway, 'generate' | 'priceOf'>,
  { database, creditsPerDay, place, kind, ref }: Payer,
): Pick<ModelGateway, 'generate'> {
  return {
    async generate(model, request, options) {
      const paid = await beginPaidStep(database, model.hosted ? creditsPerDay : null, {
        ...{ place, kind, ref, step: randomUUID(), model: nameOf(model) },
        price: priceOfModel(models, model),
        requestBytes: Buffer.byteLength(JSON.stringify(request)),
        ...(request.maxOutputTokens !== undefined && { mostOutputTokens: request.maxOutputTokens }),
      });
      const settle = (usage: StepUsage) =>
        database.tenant([place.organizationId], (sql) => paid.settle(sql, usage));
      const reply = await models.generate(model, request, options).catch(async (error: unknown) => {
        // Whether a call that failed cost anything is not known.
        await settle({ inputTokens: null, outputTokens: null });
        throw error;
      });
      const { inputTokens = null, outputTokens = null } = reply.usage;
      await settle({ inputTokens, outputTokens });
      return reply;
    },
  };
}

/** A model that runs on a caller's own key costs the operator nothing, and what it costs the caller is not known. */
export function priceOfModel(
  models: Pick<ModelGateway, 'priceOf'>,
  model: ChosenModel,
): PricePerMillion | undefined {
  return model.hosted && model.provider === 'proofmark' ? freePrice : models.priceOf(model);
}

function nameOf(model: ChosenModel): string {
  return model.hosted ? model.id : `${model.provider}/${model.name}`;
}
