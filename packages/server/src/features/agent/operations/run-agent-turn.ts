/**
 * Runs one turn of the agent: takes one of the organization's slots, calls operations until there
 * is an answer or the turn runs out of steps or time, then frees the slot. Resources that were
 * created before an error stay, and the error names them.
 */

import {
  agentBounds,
  askWhatIsWanted,
  FailedWithDetails,
  isBuiltInModel,
  type Refusal,
  Refused,
} from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { charge } from '../../../platform/spending/count-daily-use.ts';
import { freeAgentSlot, takeAgentSlot } from '../../../platform/work/store/agent-slots.ts';
import { operatorModel, withOperatorsModels } from '../../models/index.ts';
import type { AgentParts, AgentProject } from '../agent-context.ts';
import { AgentTurn } from './agent-turn.ts';

export const runAgentTurn: Action<'runAgentTurn', AgentParts> = async (context, { body }) => {
  const { messages, idempotencyKey } = body;
  const model = context.partModels.agent;
  if (model === 'off') {
    const message =
      'The agent is switched off in this installation; the operator can set agentModel to switch it on.';
    return refuse({ code: 'FEATURE_NOT_SUPPORTED', message });
  }
  if (!messages.some(({ role }) => role === 'user')) {
    const nothing = { toolCalls: [], createdResources: [], proposedActions: [] };
    return {
      reply: askWhatIsWanted,
      ...nothing,
      usage: { inputTokens: 0, outputTokens: 0 },
      model,
    };
  }
  return withOperatorsModels(context, model, async (models) => {
    // The model is checked first, because a rejected turn must not be counted.
    if (!isBuiltInModel(model)) operatorModel(models, 'agentModel', model);
    const slot = await takeSlot(context);
    const over = AbortSignal.timeout(context.agentTurnMs);
    const signal = AbortSignal.any([context.signal, over]);
    const turn = new AgentTurn({ ...context, models, signal }, messages, idempotencyKey);
    try {
      return { ...(await turn.play()), model };
    } catch (error) {
      throw withCreated(over.aborted ? new Refused(tookTooLong) : error, turn.created);
    } finally {
      // If freeing the slot fails, its lease expires by itself. So the turn's result is returned
      // anyway.
      await context.tenant((sql) => freeAgentSlot(sql, slot)).catch(() => undefined);
    }
  });
};

const tookTooLong: Refusal = {
  code: 'TIMEOUT',
  message: 'The turn took too long and was stopped; ask for less at once.',
};

/** Takes a slot and counts the turn in one transaction, so that only accepted turns count. */
function takeSlot(context: AgentProject): Promise<string> {
  const { organizationId } = context.project;
  return context.tenant(async (sql) => {
    const slot = await takeAgentSlot(sql, organizationId, {
      slots: agentBounds.turnsAtOnce,
      leaseMs: agentBounds.slotMs,
    });
    if (slot === undefined) {
      const message = `The organization has ${agentBounds.turnsAtOnce} agent turns in progress; wait until one has ended.`;
      const details = { reason: 'CONCURRENT_AGENT_TURNS', limit: agentBounds.turnsAtOnce };
      return refuse({ code: 'RATE_LIMITED', message, details });
    }
    await charge(context, sql, 'agentTurnsPerDay');
    return slot;
  });
}

function withCreated(error: unknown, createdResources: readonly object[]): unknown {
  if (createdResources.length === 0) return error;
  if (!(error instanceof Refused)) return new FailedWithDetails({ createdResources }, error);
  const { refusal, headers } = error;
  return new Refused({ ...refusal, details: { ...refusal.details, createdResources } }, headers);
}
