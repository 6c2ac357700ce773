import { sessionScopes, sessionSources } from '@proofmark/domain';
import * as z from 'zod';
import { commaListOf, Id, Instant } from '../fields.ts';

const Count = z.number().int().min(0);

export const SessionQuery = z
  .strictObject({
    q: z.string().max(200).optional().meta({
      description:
        'The search text. A blank text finds nothing. Case is ignored. The best match comes first.',
    }),
    scope: z.enum(sessionScopes).optional().meta({
      description:
        'Needs q. titles (default): the newest 2,000 sessions. transcripts: the newest 200 of each source, limited to 16 MiB of traces.',
    }),
    sourceType: commaListOf(sessionSources)
      .optional()
      .meta({
        description: `Separated by commas: ${sessionSources.join(', ')} (default: all).`,
      }),
    status: z.enum(['active', 'archived']).default('active'),
  })
  .refine(({ q, scope }) => scope === undefined || q !== undefined, {
    path: ['scope'],
    error: 'scope is allowed only in a search; send q with it.',
  });

export const SessionParentRef = z
  .object({
    kind: z.enum(['evalRun', 'journeyRun', 'scenario']),
    label: z.string().nullable(),
    iterationId: Id.optional(),
    suiteRunId: Id.nullable().optional(),
    suiteId: Id.nullable().optional(),
    journeyRunId: Id.optional(),
    journeyRefId: Id.nullable().optional(),
    scenarioId: Id.optional(),
  })
  .meta({ id: 'SessionParentRef' });

export const SessionLink = z
  .object({ path: z.string(), url: z.string() })
  .meta({ id: 'SessionLink', description: 'The place of the session in the console.' });

export const SessionSummary = z
  .object({
    id: Id.meta({ description: 'For a trial, its iteration id.' }),
    chatSessionId: Id.meta({
      description: 'A key of the runtime; it cannot be used as an address.',
    }),
    projectId: Id.nullable(),
    sourceType: z.enum(sessionSources),
    origin: z.enum(['api', 'ui', 'visit', 'schedule', 'sample']).nullable(),
    status: z.enum(['active', 'archived']),
    synthetic: z
      .boolean()
      .meta({ description: 'True if no person took part: a trial, or a persona.' }),
    lockReason: z.string().nullable(),
    title: z.string().nullable(),
    firstMessagePreview: z.string().max(200),
    visibility: z.enum(['private', 'project']).nullable(),
    ownedByViewer: z.boolean(),
    startedAt: Instant,
    lastActivityAt: Instant,
    modelId: z.string().nullable(),
    messageCount: Count,
    cumulativeUserMessageCount: Count.optional(),
    cumulativeToolCallCount: Count.optional(),
    cumulativeInputTokens: Count.optional(),
    cumulativeOutputTokens: Count.optional(),
    parentRef: SessionParentRef.nullable(),
    link: SessionLink,
    matchPreview: z.string().max(200).nullable().optional().meta({
      description: 'Only in a search: the text around the match.',
    }),
  })
  .meta({ id: 'SessionSummary' });

export const SessionSummaryPage = z
  .object({
    items: z.array(SessionSummary),
    nextCursor: z.string().optional(),
    scope: z.enum(sessionScopes).optional().meta({ description: 'Only in a search.' }),
  })
  .meta({ id: 'SessionSummaryPage' });
