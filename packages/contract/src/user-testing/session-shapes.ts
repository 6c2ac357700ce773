import {
  authTypes,
  EvalCaseDefinition,
  ratingScales,
  recencies,
  sessionOutcomes,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';
import { sessionChainFields } from '../swarms/run-shapes.ts';

const Count = z.int().nonnegative();
const addition = 'An addition of Proofmark beyond the specification: ';

export const UserTestingSession = z
  .object({
    id: Id,
    chatSessionId: Id,
    messageCount: Count,
    preview: z.string().meta({ description: 'The first message, up to 200 characters.' }),
    modelId: z.string().optional(),
    toolCallCount: Count.optional(),
    authInterrupted: z.boolean().optional().meta({
      description: 'True if a server required a sign-in and the visitor sent no more messages.',
    }),
    visitor: z.object({
      displayName: z.string().optional(),
      segment: z.string().optional(),
      authType: z.enum(authTypes).optional(),
      recency: z.enum(recencies).optional(),
      deviceKind: z.string().optional(),
      language: z.string().optional(),
    }),
    feedback: z
      .object({
        rating: z.number().nullable(),
        scale: z
          .enum(ratingScales)
          .nullable()
          .meta({
            description: `${addition}the scale of the rating. thumbs: 1 is not helpful, 5 is helpful. null if it was not recorded.`,
          }),
        comment: z.string().nullable(),
        count: Count,
      })
      .meta({ description: 'The lowest rating of the session.' }),
    startedAt: Instant,
    lastActivityAt: Instant,
    environmentId: Id.nullable().meta({
      description: `${addition}the environment of its first message.`,
    }),
    toolErrorCount: Count.meta({ description: `${addition}the number of failed calls.` }),
    outcome: z
      .enum(sessionOutcomes)
      .optional()
      .meta({
        description: `${addition}the outcome of the session; absent while it is in progress.`,
      }),
    chain: z
      .object(sessionChainFields)
      .optional()
      .meta({
        description: `${addition}the results by stage, as far as they are known without an expectation.`,
      }),
  })
  .meta({ id: 'UserTestingSession' });
export type UserTestingSession = z.infer<typeof UserTestingSession>;

export const UserTestingSessionPage = pageOf(UserTestingSession, 'UserTestingSessionPage');

export const TranscriptMessage = z
  .object({
    role: z.string(),
    text: z.string().meta({
      description:
        'Without texts that look like secrets, and without arguments and results of tools.',
    }),
    toolName: z.string().optional(),
    createdAt: Instant.optional(),
  })
  .meta({ id: 'TranscriptMessage' });

export const TranscriptQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'The cursor is a whole number, the number of messages to skip.')
    .optional(),
  limit: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'The number of messages (default: 50, at most 200).' }),
});

export const UserTestingSessionDetail = z
  .object({
    id: Id,
    scenarioId: Id,
    chatSessionId: Id.nullable(),
    modelId: z.string().nullable(),
    startedAt: Instant.nullable(),
    lastActivityAt: Instant.nullable(),
    messageCount: Count.nullable().meta({
      description: 'Without tool calls, as in the list; null if the messages cannot be read.',
    }),
    transcriptUnavailable: z.literal(true).optional(),
    messages: z.array(TranscriptMessage),
    nextCursor: z.string().optional(),
  })
  .meta({ id: 'UserTestingSessionDetail' });

export const UserTestingSessionDeleted = z
  .object({ id: Id, deleted: z.literal(true) })
  .meta({ id: 'UserTestingSessionDeleted' });

export const VisitEvalCaseRequest = z
  .strictObject({ suiteId: Id, title: EvalCaseDefinition.shape.title.optional() })
  .meta({ id: 'VisitEvalCaseRequest' });
