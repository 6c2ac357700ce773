/**
 * Wraps models: every call gets a row in the ledger. Under a credit limit, its credits are reserved
 * first.
 */
import { randomUUID } from 'node:crypto';
import {
  type ChosenModel,
  freePrice,
  type LedgerKind,
  type PricePerMillion,
} from '@proofmark/domain';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { Database, Sql } from '../database/database.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import { beginPaidStep } from './paid-step.ts';
import type { PlaceOfSpending } from './store/ledger.ts';
import { usageOfFailure, usageOfReply } from './usage-of-call.ts';

export interface Payer {
  readonly database: Database;
  readonly creditsPerDay: number | null;
  readonly place: PlaceOfSpending;
  readonly kind: LedgerKind;
  readonly ref: string;
  /**
   * The longest wait of a call, in milliseconds, for credits that other steps have reserved
   * (default: no wait).
   */
  readonly mostWaitMs?: number;
  /** True if the calls belong to a run whose launch limited the run's credits. */
  readonly isOfLimitedRun?: boolean;
}

type PricedModels = Pick<ModelGateway, 'priceOf' | 'isPaidByOperator'>;

export function payingModels(
  models: PricedModels & Pick<ModelGateway, 'generate'>,
  { database, creditsPerDay, place, kind, ref, mostWaitMs = 0, isOfLimitedRun = false }: Payer,
): Pick<ModelGateway, 'generate'> {
  return {
    async generate(model, request, options) {
      const paid = await beginPaidStep(database, capOf(models, model, creditsPerDay), {
        place,
        kind,
        ref,
        step: randomUUID(),
        model: nameOf(model),
        price: priceOfModel(models, model),
        // The run's limit counts only calls that the operator pays for.
        isOfLimitedRun: isOfLimitedRun && models.isPaidByOperator(model),
        wait: { mostMs: mostWaitMs, signal: options.signal },
        requestBytes: Buffer.byteLength(JSON.stringify(request)),
        ...(request.maxOutputTokens !== undefined && { mostOutputTokens: request.maxOutputTokens }),
      });
      const write = (work: (sql: Sql) => Promise<void>) =>
        database.tenant([place.organizationId], work);
      let isWaiting = true;
      const onSent = (isSent: boolean) => {
        isWaiting = !isSent;
        options.onSent?.(isSent);
      };
      const reply = await paid
        .during(() => models.generate(model, request, { ...options, onSent }))
        .catch(async (error: unknown) => {
          const end = (sql: Sql) =>
            isWaiting ? paid.drop(sql) : paid.settle(sql, usageOfFailure(error));
          // If this write fails, its error is ignored, since the caller needs the first error.
          await write(end).catch(() => undefined);
          throw error;
        });
      // The write is retried. If it failed and the reply were lost, the caller would send the call
      // again and pay twice.
      await retryWhileDatabaseIsAway(
        () => write((sql) => paid.settle(sql, usageOfReply(reply))),
        options.signal,
      );
      return reply;
    },
  };
}

/**
 * Returns the credits per day that limit this model; null for models that the operator does not pay
 * for.
 */
export function capOf(
  models: PricedModels,
  model: ChosenModel,
  creditsPerDay: number | null,
): number | null {
  return models.isPaidByOperator(model) ? creditsPerDay : null;
}

/**
 * Returns the operator's price of a model; undefined if the operator does not pay for the model,
 * since its cost is then unknown here.
 */
export function priceOfModel(
  models: PricedModels,
  model: ChosenModel,
): PricePerMillion | undefined {
  if (model.hosted && model.provider === 'proofmark') return freePrice;
  return models.isPaidByOperator(model) ? models.priceOf(model) : undefined;
}

export function nameOf(model: ChosenModel): string {
  return model.hosted ? model.id : `${model.provider}/${model.name}`;
}
