/** Models whose every call is paid for: by a row of the ledger, and under a cap by credits that are set aside first. */
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
  /** What the calls are made for. */
  readonly ref: string;
  /** How long a call may wait for credits that others have set aside; not at all where it is not said. */
  readonly mostWaitMs?: number;
  /** Whether the launch of its run limits what that may spend. */
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
        // Only what the operator pays for counts.
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
          // That it could not be written down is told by nobody: what failed first matters to who asked.
          await write(end).catch(() => undefined);
          throw error;
        });
      // An answer that is lost would be asked for, and paid, once more.
      await retryWhileDatabaseIsAway(
        () => write((sql) => paid.settle(sql, usageOfReply(reply))),
        options.signal,
      );
      return reply;
    },
  };
}

/** Only what the operator pays for is capped. */
export function capOf(
  models: PricedModels,
  model: ChosenModel,
  creditsPerDay: number | null,
): number | null {
  return models.isPaidByOperator(model) ? creditsPerDay : null;
}

/** By the operator's word alone: what others pay for has no cost that is known here. */
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
