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
    description: 'real: visitors. synthetic: simulated users on its environment. Without it, both.',
  }),
});

const counts = {
  sessionCount: Count,
  analyzedCount: Count.meta({
    description:
      'Those that are over: of visitors, those that ended or had no message for ten minutes; of simulated users, those that were played to their end. Rates are over them.',
  }),
  toolCallCount: Count,
  toolErrorCount: Count,
  completedCount: Count.meta({
    description: 'Those of analyzedCount whose outcome is completed: no call of a tool failed.',
  }),
};

export const ScenarioMetrics = z
  .object({
    population: z.enum([...populations, 'all']),
    ...counts,
    truncated: z.boolean().meta({ description: 'The counts are of the newest 500 sessions.' }),
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
    ratedByStars: z
      .object({ sessionCount: Count, averageRating: z.number().nullable() })
      .meta({ description: `${addition}sessions whose lowest rating is of 1 to 5 stars.` }),
    ratedByThumbs: z
      .object({ sessionCount: Count, helpfulCount: Count })
      .meta({ description: `${addition}sessions whose lowest rating is a thumb.` }),
    trend: z.array(z.object({ dayStartMs: Instant, ...counts })),
  })
  .meta({
    id: 'ScenarioMetrics',
    description: 'Every rate over nothing is null.',
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
  .meta({ id: 'ScenarioUsage', description: 'Counted over the sessions that were scanned.' });

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
  .meta({ id: 'ScenarioCandidate', description: 'What a detector counted about one subject.' });

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
    lowConfidence: z.boolean().meta({ description: 'More than half were not over yet.' }),
    dataStale: z.boolean().meta({ description: 'Somebody said or rated something since.' }),
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
      description: 'Windows that held a session of it which the one before did not hold.',
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
    title: z.string().meta({ description: `${addition}what is wrong with what.` }),
    firstFailedStage: z.enum(stages).optional(),
    failureCategory: z.enum(failureCategories).optional(),
    nextAction: z.string().meta({
      description: `${addition}the one thing to do next, by the failure category alone.`,
    }),
    advice: z
      .string()
      .optional()
      .meta({
        description: `${addition}finer advice, where the sessions tell more than the category.`,
      }),
  })
  .meta({ id: 'ScenarioFinding' });
export type ScenarioFinding = z.infer<typeof ScenarioFinding>;

export const ScenarioFindingPage = z
  .object({ items: z.array(ScenarioFinding) })
  .meta({ id: 'ScenarioFindingPage', description: 'All of them; what changed last stands first.' });

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
