/** Models with a ledger row for every call, and under a cap with credits reserved first. */
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
  /** The id of the object that the calls are made for. */
  readonly ref: string;
  /** The longest wait of a call for credits that others have reserved (default: none). */
  readonly mostWaitMs?: number;
  /** True if the launch of its run limits the run's credits. */
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
        // Only calls that the operator pays for count.
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
          // A failure to write is dropped: the first error matters to the caller.
          await write(end).catch(() => undefined);
          throw error;
        });
      // Retried, since a lost answer would be requested, and paid, once more.
      await retryWhileDatabaseIsAway(
        () => write((sql) => paid.settle(sql, usageOfReply(reply))),
        options.signal,
      );
      return reply;
    },
  };
}

/** Returns the cap, which applies only to models that the operator pays for. */
export function capOf(
  models: PricedModels,
  model: ChosenModel,
  creditsPerDay: number | null,
): number | null {
  return models.isPaidByOperator(model) ? creditsPerDay : null;
}

/** Returns the operator's price; the cost of models that others pay for is unknown here. */
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
