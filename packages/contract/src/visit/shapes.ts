import {
  approvalDecisions,
  utf8Bytes,
  visitBounds,
  visitorMessageRoles,
  visitorTurnStatuses,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

const AccessVersion = z.int().min(1);

export const VisitSession = z
  .object({
    visitor: z.object({ signedIn: z.boolean(), displayName: z.string().optional() }),
    csrfToken: z
      .string()
      .meta({ description: 'Send it in the header X-CSRF-Token with every write.' }),
  })
  .meta({ id: 'VisitSession' });

export const RedeemRequest = z
  .union([
    z.strictObject({
      token: z.string().min(1).max(128),
      invite: z.string().min(1).max(128).optional(),
    }),
    z.strictObject({ scenarioId: Id }),
  ])
  .meta({ id: 'RedeemRequest' });

export const RedeemedLink = z
  .object({
    scenarioId: Id,
    accessVersion: AccessVersion,
    role: z.enum(['chat', 'admin']),
    mode: z.enum(['project_members', 'invited_only', 'anyone_with_link']),
    title: z.string(),
    description: z.string().nullable(),
    notice: z.object({ version: z.string(), text: z.string() }),
    consented: z.boolean(),
    requireToolApproval: z.boolean(),
    servers: z.array(z.object({ name: z.string(), optional: z.boolean() })),
    clientStyle: z.string().nullable(),
    feedback: z.enum(['off', 'stars', 'thumbs']),
    welcome: z.string().nullable(),
    modelLabel: z.string(),
  })
  .meta({ id: 'RedeemedLink' });

export const NoticeAcceptance = z
  .strictObject({ noticeVersion: z.string().min(1).max(64), accessVersion: AccessVersion })
  .meta({ id: 'NoticeAcceptance' });

export const NoticeAccepted = z
  .object({ scenarioId: Id, noticeVersion: z.string(), consentedAt: Instant })
  .meta({ id: 'NoticeAccepted' });

export const VisitorSessionRequest = z
  .strictObject({
    accessVersion: AccessVersion,
    preview: z.boolean().optional().meta({
      description:
        'True for a member of the project who tries their own link: the conversation is not counted.',
    }),
  })
  .meta({ id: 'VisitorSessionRequest' });

export const VisitorSessionCreated = z
  .object({ sessionId: Id })
  .meta({ id: 'VisitorSessionCreated' });

const Approval = z.object({
  approvalId: Id,
  callId: z.string(),
  toolName: z.string(),
  serverName: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  argumentsHash: z.string(),
  expiresAt: Instant,
});

export const VisitorSessionRead = z
  .object({
    sessionId: Id,
    status: z.enum(['active', 'ended']),
    messages: z.array(
      z.object({
        role: z.enum(visitorMessageRoles),
        text: z.string(),
        toolName: z.string().optional(),
        createdAt: Instant,
        turnId: Id.meta({ description: 'The turn of the message; ratings refer to it.' }),
      }),
    ),
    turns: z
      .array(
        z.object({
          turnId: Id,
          clientTurnId: z.string(),
          status: z.enum(visitorTurnStatuses),
          error: z.object({ code: z.string(), message: z.string() }).optional(),
        }),
      )
      .meta({ description: 'All turns in order, one for each message that arrived.' }),
    turn: z
      .object({
        turnId: Id,
        clientTurnId: z.string(),
        status: z.enum(visitorTurnStatuses),
        approval: Approval.optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      })
      .optional()
      .meta({ description: 'The last turn, if it is in progress or was not completed.' }),
  })
  .meta({ id: 'VisitorSessionRead' });

/** A message that a user writes to a model, in a visit or the playground. */
export const WrittenMessage = z
  .string()
  .min(1)
  .refine((text) => utf8Bytes(text) <= visitBounds.textBytes, {
    error: `A message has at most ${visitBounds.textBytes} bytes of UTF-8.`,
  });

export const VisitorTurnRequest = z
  .strictObject({
    text: WrittenMessage,
    clientTurnId: z.string().min(1).max(visitBounds.clientTurnIdCharacters),
    accessVersion: AccessVersion,
  })
  .meta({ id: 'VisitorTurnRequest' });

export const VisitTurnLine = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('turn_start'), turnId: Id }),
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({
      type: z.literal('tool_call'),
      callId: z.string(),
      toolName: z.string(),
      serverName: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
    z.object({
      type: z.literal('approval_required'),
      approvalId: Id,
      callId: z.string(),
      argumentsHash: z.string(),
      expiresAt: Instant,
    }),
    z.object({
      type: z.literal('tool_result'),
      callId: z.string(),
      isError: z.boolean(),
      text: z.string(),
      omitted: z.array(z.string()).optional(),
    }),
    z.object({ type: z.literal('note'), text: z.string() }),
    z.object({ type: z.literal('turn_finish'), messageCount: z.int() }),
    z.object({
      type: z.literal('error'),
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  ])
  .meta({ id: 'VisitTurnLine' });

export const ApprovalAnswer = z
  .strictObject({
    approvalId: Id,
    decision: z.enum(approvalDecisions),
    argumentsHash: z.string().regex(/^[0-9a-f]{64}$/, 'Lower-case hexadecimal of SHA-256.'),
  })
  .meta({ id: 'ApprovalAnswer' });

export const ApprovalAnswered = z
  .object({ approvalId: Id, decision: z.enum(approvalDecisions) })
  .meta({ id: 'ApprovalAnswered' });

export const VisitorTurnStopped = z
  .object({ turnId: Id, stopping: z.boolean() })
  .meta({ id: 'VisitorTurnStopped' });

export const VisitorFeedback = z
  .strictObject({
    turnId: Id.nullable(),
    rating: z.int().min(1).max(5),
    comment: z.string().max(visitBounds.commentCharacters).optional(),
  })
  .meta({ id: 'VisitorFeedback' });

export const VisitorFeedbackGiven = z
  .object({ turnId: Id.nullable(), rating: z.int(), comment: z.string().nullable() })
  .meta({ id: 'VisitorFeedbackGiven' });

export const VisitorSessionEnded = z
  .object({ sessionId: Id, status: z.literal('ended') })
  .meta({ id: 'VisitorSessionEnded' });

export const VisitorSessionErased = z
  .object({ sessionId: Id, erased: z.literal(true) })
  .meta({ id: 'VisitorSessionErased' });
