/**
 * Models for a guest. Before each call, its maximum cost is reserved from the scenario's daily
 * credits. The call's output tokens are limited, so that the cost cannot exceed the reservation.
 */
import {
  assumedOutputTokens,
  costOfCalls,
  largerCall,
  noCallSeen,
  type PricePerMillion,
  type StepUsage,
  visitDayUsedUp,
  worstCase,
} from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { usageOfFailure, usageOfReply } from '../../../platform/spending/usage-of-call.ts';
import {
  type GuestPlace,
  readGuestCredits,
  reserveGuestCredits,
  settleGuestCredits,
} from '../store/guest-credits.ts';

export interface GuestCap {
  readonly database: Database;
  readonly place: GuestPlace;
  readonly price: PricePerMillion;
  readonly dailyCreditCap: number;
}

export function guestModels(
  models: Pick<ModelGateway, 'generate'>,
  { database, place, price, dailyCreditCap }: GuestCap,
): Pick<ModelGateway, 'generate'> {
  const inTenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    database.tenant([place.organizationId], work);
  let seen = noCallSeen;
  return {
    async generate(model, asked, options) {
      const { maxOutputTokens = assumedOutputTokens } = asked;
      const request = { ...asked, maxOutputTokens };
      const bytes = Buffer.byteLength(JSON.stringify(request));
      const worst = worstCase(price, bytes, maxOutputTokens, seen);
      const day = await inTenant(async (sql) => {
        const reserved = await reserveGuestCredits(sql, place, worst, dailyCreditCap);
        if (reserved !== undefined) return reserved;
        const { used, now } = await readGuestCredits(sql, place);
        throw visitDayUsedUp('dailyCreditCap', dailyCreditCap, used, now.getTime());
      });
      const settle = (spent: number) =>
        inTenant((sql) => settleGuestCredits(sql, place, { day, reserved: worst, spent }));
      let isSent = false;
      const onSent = (sent: boolean) => {
        isSent = sent;
        options.onSent?.(sent);
      };
      const costOf = (usage: StepUsage) => costOfCalls(price, [{ usage, worst }], true).credits;
      const reply = await models
        .generate(model, request, { ...options, onSent })
        .catch(async (error: unknown) => {
          // If this write fails, the reservation remains, and the step counts at its maximum cost.
          await settle(isSent ? costOf(usageOfFailure(error)) : 0).catch(() => undefined);
          throw error;
        });
      const usage = usageOfReply(reply);
      seen = largerCall(seen, bytes, usage);
      await settle(costOf(usage));
      return reply;
    },
  };
}
