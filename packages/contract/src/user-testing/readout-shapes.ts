import {
  failureCategories,
  findingStatuses,
  mostCountedSessions,
  populations,
  stages,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { insightsRequestedFields, insightsRequestFields } from '../insights-request.ts';

const Count = z.int().nonnegative();
const Rate = z.number().min(0).max(1).nullable();
const addition = 'An addition of Proofmark beyond the specification: ';

export const PopulationQuery = z.strictObject({
  population: z.enum(populations).optional().meta({
    description:
      'real: visitors. synthetic: simulated users in the environment of the scenario. Default: both.',
  }),
});

const counts = {
  sessionCount: Count,
  analyzedCount: Count.meta({
    description:
      'The number of completed sessions: sessions of visitors that ended or had no message for ten minutes, and sessions of simulated users that were played to their end. Rates divide by it.',
  }),
  toolCallCount: Count,
  toolErrorCount: Count,
  completedCount: Count.meta({
    description: 'The number of these sessions with the outcome completed: no tool call failed.',
  }),
};

export const ScenarioMetrics = z
  .object({
    population: z.enum([...populations, 'all']),
    ...counts,
    truncated: z
      .boolean()
      .meta({ description: 'True if only the newest 500 sessions were counted.' }),
    uniqueVisitorCount: Count,
    toolErrorRate: Rate,
    sessionsWithToolErrors: Count,
    topFailingTool: z.object({ toolName: z.string(), errorCount: Count }).nullable(),
    avgToolCallsPerSession: z.number().nullable(),
    latencyP50Ms: Count.nullable(),
    latencyP95Ms: Count.nullable(),
    avgTokensPerSession: z.number().nullable(),
    tokenSampleCount: Count,
    completionRate: Rate,
    ratedSessionCount: Count,
    averageRating: z.number().nullable(),
    negativeRate: Rate,
    ratedByStars: z.object({ sessionCount: Count, averageRating: z.number().nullable() }).meta({
      description: `${addition}the number of sessions whose lowest rating is in stars, from 1 to 5.`,
    }),
    ratedByThumbs: z
      .object({ sessionCount: Count, helpfulCount: Count })
      .meta({ description: `${addition}the number of sessions whose lowest rating is a thumb.` }),
    trend: z.array(z.object({ dayStartMs: Instant, ...counts })),
  })
  .meta({
    id: 'ScenarioMetrics',
    description: 'A rate without sessions is null.',
  });

const usageRow = { key: z.string(), label: z.string(), count: Count };
const Breakdown = z.array(z.object(usageRow));

export const ScenarioUsage = z
  .object({
    totalSessions: Count,
    modelBreakdown: Breakdown,
    serverBreakdown: Breakdown,
    toolBreakdown: z.array(z.object({ ...usageRow, callCount: Count, errorCount: Count })),
    deviceBreakdown: Breakdown,
    languageBreakdown: Breakdown,
    outcomeBreakdown: Breakdown,
    userBreakdown: z.array(
      z.object({
        segment: z.string(),
        positive: Count,
        neutral: Count,
        negative: Count,
        none: Count,
      }),
    ),
    criterionBreakdown: z.array(
      z.object({
        criterionId: z.string(),
        label: z.string().optional(),
        kind: z.string().optional(),
        passCount: Count,
        failCount: Count,
        ungradedCount: Count,
      }),
    ),
    scan: z.object({
      scanned: Count,
      matched: Count,
      truncated: z.boolean(),
      maxSessions: z.literal(mostCountedSessions),
      windowStartAt: Instant.nullable(),
      windowEndAt: Instant.nullable(),
    }),
  })
  .meta({ id: 'ScenarioUsage', description: 'Counts over the scanned sessions.' });

export const ScenarioCandidate = z
  .object({
    detector: z.string(),
    subjectKind: z.string(),
    subjectId: z.string(),
    subjectLabel: z.string(),
    affectedSessions: Count,
    affected: Count,
    sliceTotal: Count,
    metric: z.number().optional(),
    exemplarSessionIds: z.array(Id),
    contrastSessionIds: z.array(Id),
    severityScore: z.number(),
    fingerprint: z.string(),
    firstFailedStage: z.enum(stages).optional(),
    failureCategory: z.enum(failureCategories).optional(),
  })
  .meta({ id: 'ScenarioCandidate', description: 'The counts of a detector for one subject.' });

export const ScenarioSignals = z
  .object({
    windowId: Id,
    latestGroupId: Id.meta({ description: 'The same as windowId.' }),
    latestSnapshotAt: Instant,
    windowStartAt: Instant,
    windowEndAt: Instant,
    sessionCount: Count,
    unanalyzedSessionCount: Count,
    feedbackCount: Count,
    truncated: z.boolean(),
    feedbackTruncated: z.boolean(),
    lowConfidence: z
      .boolean()
      .meta({ description: 'True if more than half of the sessions were still open.' }),
    dataStale: z.boolean().meta({ description: 'True if there are newer messages or ratings.' }),
    canRequest: z.boolean(),
    canDismiss: z.boolean(),
    candidates: z.array(ScenarioCandidate),
  })
  .meta({ id: 'ScenarioSignals' });

export const ScenarioFinding = z
  .object({
    id: Id.meta({ description: 'The same problem of a scenario has the same id in every window.' }),
    _id: Id.meta({ description: 'The same as id.' }),
    fingerprint: z.string(),
    detector: z.string(),
    subjectKind: z.string(),
    subjectId: z.string(),
    subjectLabel: z.string(),
    status: z.enum(findingStatuses),
    firstSeenAt: Instant,
    lastSeenAt: Instant,
    lastSeenWindowId: Id,
    occurrenceCount: Count.meta({
      description:
        'The number of windows with a session of this finding that the previous window did not contain.',
    }),
    resolvedAt: Instant.nullable(),
    dismissedAt: Instant.nullable(),
    updatedAt: Instant,
    evidence: z.object({
      windowId: Id,
      affected: Count,
      sliceTotal: Count,
      exemplarSessionIds: z.array(Id),
      contrastSessionIds: z.array(Id),
    }),
    title: z
      .string()
      .meta({ description: `${addition}a short sentence about the problem and its subject.` }),
    firstFailedStage: z.enum(stages).optional(),
    failureCategory: z.enum(failureCategories).optional(),
    nextAction: z.string().meta({
      description: `${addition}the next step, derived from the failure category alone.`,
    }),
    advice: z
      .string()
      .optional()
      .meta({
        description: `${addition}more specific advice, if the sessions show more than the category.`,
      }),
  })
  .meta({ id: 'ScenarioFinding' });
export type ScenarioFinding = z.infer<typeof ScenarioFinding>;

export const ScenarioFindingPage = z.object({ items: z.array(ScenarioFinding) }).meta({
  id: 'ScenarioFindingPage',
  description: 'All findings, the most recently changed first.',
});

export const ScenarioFindingDismissed = z
  .object({ id: Id, scenarioId: Id, projectId: Id, dismissed: z.boolean() })
  .meta({ id: 'ScenarioFindingDismissed' });

export const ScenarioWindowInsights = z
  .object({
    windowId: Id,
    status: z.enum(['pending', 'completed', 'failed']),
    insights: z.record(z.string(), z.unknown()).nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    updatedAt: Instant,
  })
  .meta({ id: 'ScenarioWindowInsights' });

export const ScenarioInsightsRequest = z
  .strictObject(insightsRequestFields)
  .meta({ id: 'ScenarioInsightsRequest' });

export const ScenarioInsightsRequested = z
  .object({ scenarioId: Id, projectId: Id, windowId: Id, ...insightsRequestedFields })
  .meta({ id: 'ScenarioInsightsRequested' });

export const ScenarioInsightsCancelRequest = z
  .strictObject({ windowId: Id })
  .meta({ id: 'ScenarioInsightsCancelRequest' });

export const ScenarioInsightsCanceled = z
  .object({ scenarioId: Id, projectId: Id, windowId: Id, canceled: z.literal(true) })
  .meta({ id: 'ScenarioInsightsCanceled' });
