import { agentBounds, agentRoles, utf8Bytes } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const AgentMessage = z
  .strictObject({
    role: z.enum(agentRoles),
    content: z
      .string()
      .min(1)
      .refine((content) => utf8Bytes(content) <= agentBounds.contentBytes, {
        error: `A message has at most ${agentBounds.contentBytes} bytes of UTF-8.`,
      }),
  })
  .meta({ id: 'AgentMessage' });

export const AgentTurnRequest = z
  .strictObject({
    messages: z
      .array(AgentMessage)
      .min(1)
      .max(agentBounds.messages)
      .refine((messages) => sizeOf(messages) <= agentBounds.allContentBytes, {
        error: `All messages together have at most ${agentBounds.allContentBytes} bytes of UTF-8.`,
      }),
    idempotencyKey: z.string().min(1).max(200).optional().meta({
      description: 'A retry with the same key creates nothing a second time.',
    }),
    conversationId: z.string().min(1).max(64).optional().meta({ description: 'Not used.' }),
    slackChannelId: z.string().min(1).max(64).optional().meta({ description: 'Not used.' }),
  })
  .meta({ id: 'AgentTurnRequest' });

function sizeOf(messages: readonly { readonly content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + utf8Bytes(content), 0);
}

export const AgentTurnResponse = z
  .object({
    reply: z.string(),
    toolCalls: z.array(z.object({ operation: z.string() })).meta({
      description: 'All tool calls in order, including failed ones.',
    }),
    createdResources: z.array(
      z.object({ type: z.literal('eval_suite'), id: Id, name: z.string(), url: z.url() }),
    ),
    proposedActions: z
      .array(z.never())
      .meta({ description: 'Always empty: the agent proposes no actions.' }),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }),
    model: z.string().meta({
      description: 'An addition of Proofmark beyond the specification: the model that answered.',
    }),
    stopped: z.literal('steps').optional().meta({
      description:
        'An addition of Proofmark beyond the specification: set if the turn reached its step limit.',
    }),
  })
  .meta({ id: 'AgentTurnResponse' });
