import { chatBounds, chatTargetKinds, visitorTurnStatuses } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, oneLine } from '../fields.ts';
import { VisitTurnLine, WrittenMessage } from '../visit/shapes.ts';

const Title = oneLine(chatBounds.titleCharacters, 'A title');
const Visibility = z.enum(['private', 'project']).meta({
  description:
    'private: only the person who started it can read it; project: everybody who can see the project can read it.',
});
const Lane = z.union([z.literal(0), z.literal(1)]).meta({
  description:
    'A message can have two answers side by side: lane 0 is the first, lane 1 the second.',
});
const MessageId = z.string().min(1).max(chatBounds.messageIdCharacters);

export const ChatSessionRequest = z
  .strictObject({
    environmentId: Id.optional(),
    clientId: Id.optional(),
    serverId: Id.optional(),
    title: Title.optional(),
    visibility: Visibility.default('private'),
  })
  .refine(
    (body) =>
      [body.environmentId, body.clientId, body.serverId].filter((one) => one !== undefined)
        .length === 1,
    {
      error:
        'Send exactly one of environmentId, clientId and serverId; it determines the servers of the conversation.',
    },
  )
  .meta({ id: 'ChatSessionRequest' });

export const ChatSessionUpdateRequest = z
  .strictObject({
    title: Title.optional(),
    visibility: Visibility.optional(),
    status: z.enum(['active', 'archived']).optional(),
  })
  .meta({ id: 'ChatSessionUpdateRequest' });

export const ChatTurn = z
  .object({
    turnId: Id,
    messageId: MessageId.meta({
      description: 'Both answers to one message have the same messageId.',
    }),
    ordinal: z.int().min(0),
    lane: Lane,
    modelId: z.string(),
    text: z.string(),
    status: z.enum(visitorTurnStatuses),
    createdAt: Instant,
    lines: z.array(VisitTurnLine).meta({ description: 'The events so far, in order.' }),
  })
  .meta({ id: 'ChatTurn' });

export const ChatSessionRead = z
  .object({
    id: Id,
    projectId: Id,
    title: z.string().nullable(),
    visibility: Visibility,
    status: z.enum(['active', 'archived']),
    ownedByViewer: z.boolean(),
    target: z
      .object({ kind: z.enum(chatTargetKinds), id: Id, name: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'The environment, client or server of the conversation. It has no name if it was deleted.',
      }),
    modelId: z
      .string()
      .nullable()
      .meta({ description: 'The model that answers if a message names none.' }),
    asksFirst: z.boolean().meta({
      description:
        'True if the client asks for approval before each tool call. The playground always asks before it calls a tool that is held for writing.',
    }),
    servers: z.array(z.object({ id: Id, name: z.string() })),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'The reason why no message can be sent now.' }),
    createdAt: Instant,
    lastActivityAt: Instant,
    turns: z.array(ChatTurn),
  })
  .meta({ id: 'ChatSessionRead' });

export const ChatSessionDeleted = z
  .object({ id: Id, deleted: z.literal(true) })
  .meta({ id: 'ChatSessionDeleted' });

export const ChatTurnRequest = z
  .strictObject({
    text: WrittenMessage,
    messageId: MessageId,
    lane: Lane.default(0),
    modelId: z.string().trim().min(1).max(200).optional(),
  })
  .meta({ id: 'ChatTurnRequest' });

export const ChatTurnStopped = z
  .object({ turnId: Id, stopping: z.boolean() })
  .meta({ id: 'ChatTurnStopped' });

export const CaseOfChatRequest = z
  .strictObject({ suiteId: Id, title: oneLine(200, 'A title').optional(), lane: Lane.default(0) })
  .meta({ id: 'CaseOfChatRequest' });
