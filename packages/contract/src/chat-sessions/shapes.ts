import { chatBounds, chatTargetKinds, visitorTurnStatuses } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, oneLine } from '../fields.ts';
import { VisitTurnLine, WrittenMessage } from '../visit/shapes.ts';

const Title = oneLine(chatBounds.titleCharacters, 'A title');
const Visibility = z.enum(['private', 'project']).meta({
  description: 'private: of who began it alone; project: whoever sees the project reads it.',
});
const Lane = z.union([z.literal(0), z.literal(1)]).meta({
  description: 'Two answers to one message stand beside each other: 0 is the first, 1 the other.',
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
    { error: 'Send one of environmentId, clientId and serverId: what the conversation is with.' },
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
    messageId: MessageId.meta({ description: 'Both answers to one message have it.' }),
    ordinal: z.int().min(0),
    lane: Lane,
    modelId: z.string(),
    text: z.string(),
    status: z.enum(visitorTurnStatuses),
    createdAt: Instant,
    lines: z.array(VisitTurnLine).meta({ description: 'What happened so far, in order.' }),
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
      .meta({ description: 'With what it is held; no name where that was deleted.' }),
    modelId: z.string().nullable().meta({ description: 'Answers where a message names none.' }),
    asksFirst: z.boolean().meta({
      description:
        'The client asks before each call of a tool. Before a tool held for writing is called, the playground asks in any case.',
    }),
    servers: z.array(z.object({ id: Id, name: z.string() })),
    problem: z.string().nullable().meta({ description: 'Why nothing can be said now.' }),
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
