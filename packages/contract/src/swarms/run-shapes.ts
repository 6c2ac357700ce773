import {
  attemptErrorCodes,
  attemptStatuses,
  failureCategories,
  InsightsEnvelope,
  journeyRunErrors,
  journeyRunStatuses,
  RefusedCall,
  RefusedTool,
  StageResultRow,
  sessionEndReasons,
  stages,
  summaryVerdicts,
  ungradedReasons,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';
import { EnvironmentIds } from './fields.ts';

const Count = z.int().min(0);
const ours = 'An addition of Proofmark beyond the specification.';

export const JourneyRunLaunchRequest = z
  .strictObject({
    waveId: z
      .string()
      .regex(/^[\x20-\x7e]{1,64}$/, 'A wave id is 1 to 64 printable ASCII characters.')
      .optional()
      .meta({
        description: 'Runs with the same waveId form a wave. Generated if omitted.',
      }),
    environmentIds: EnvironmentIds.optional().meta({
      description: 'Replace the targets of the journey for this run.',
    }),
  })
  .meta({ id: 'JourneyRunLaunchRequest' });

export const JourneyRunLaunched = z
  .object({
    id: Id,
    journeyId: Id,
    projectId: Id,
    status: z.literal('running'),
    deduped: z.boolean(),
    waveId: z.string().meta({ description: ours }),
    runStatus: z.enum(journeyRunStatuses).meta({
      description: `${ours} The current status of the run: a repeated request may find one that has ended.`,
    }),
  })
  .meta({ id: 'JourneyRunLaunched' });

export const JourneyRunEstimate = z
  .object({
    targets: Count,
    sessions: Count,
    maxTurns: Count,
    launchesLeftToday: Count.nullable(),
    worstCaseCredits: z.number().nullable().meta({
      description:
        'The cost if every turn makes all allowed model calls and no message is longer than 4,096 tokens; null if a model has no price.',
    }),
    unpricedModels: z.array(z.string()),
    assistantModels: z
      .array(z.string())
      .meta({ description: 'The models of the targets, without duplicates.' }),
    personaModel: z.string().meta({ description: 'The model that plays the user.' }),
    judgeModel: z.string().nullable(),
    ownModels: z.array(z.string()).meta({
      description: 'Models on keys of the organization; their cost is not included in credits.',
    }),
    creditsLeft: z.number().nonnegative().nullable().meta({
      description:
        'The credits that the organization may still spend today; null if they are not limited.',
    }),
  })
  .meta({ id: 'JourneyRunEstimate' });

export const JourneyRunSummary = z
  .object({ total: Count, succeeded: Count, failed: Count, rateLimited: Count })
  .meta({ id: 'JourneyRunSummary', description: 'The remaining sessions are still open.' });

export const JourneyRunTarget = z
  .object({
    hostId: Id,
    hostName: z.string(),
    targetId: z.string().meta({ description: 'Opaque; the only key of a target.' }),
    modelId: z.string(),
    environmentId: Id.nullable().meta({ description: ours }),
    environmentName: z.string().nullable().meta({ description: ours }),
    environmentRevision: z.int().nullable().meta({ description: ours }),
  })
  .meta({ id: 'JourneyRunTarget' });

/**
 * Number of sessions without a grade, by reason. Scorecards and lists of runs share these fields.
 */
export const ungradedFields = {
  ungraded: z
    .object(
      Object.fromEntries(ungradedReasons.map((reason) => [reason, Count])) as Record<
        (typeof ungradedReasons)[number],
        typeof Count
      >,
    )
    .meta({
      description: `${ours} The number of sessions that were not played to their end, by cause; no rate includes them.`,
    }),
  simulatedUserFailedCount: Count.meta({
    description: `${ours} The number of sessions in ungraded.ours that ended because the model that plays the user failed or gave no usable answer.`,
  }),
  notEndedCount: Count.meta({
    description: `${ours} The number of sessions in ungraded.unplayed that wait or are in progress.`,
  }),
};

export const JudgedGoals = z
  .object({
    gradedCount: Count.meta({ description: 'The number of judged sessions.' }),
    passedCount: Count,
    avgScore: z.number().min(0).max(1).nullable(),
    pendingCount: Count.nullable(),
    failedCount: Count.nullable(),
  })
  .meta({ description: 'The scores of the judge for goals; null if no session was judged.' });

const JourneyRunGrades = z
  .object({
    criteria: z.array(
      z.object({
        id: z.string(),
        label: z.string().nullable(),
        kind: z.string(),
        role: z.enum(['gating', 'advisory']),
        failCount: Count,
        pendingCount: Count,
        failedGradingCount: Count,
      }),
    ),
    sessionsTotal: Count,
    sessionsGraded: Count,
    distinctTranscripts: Count,
    ...ungradedFields,
  })
  .meta({
    id: 'JourneyRunGrades',
    description:
      'Counts of the results of the gating criteria of a run; the rates are in its scorecard.',
  });

export const runVerdictFields = {
  verdict: z.enum(summaryVerdicts).meta({
    description: `${ours} Decided by its gating criteria over the graded sessions.`,
  }),
  grades: JourneyRunGrades.nullable().meta({
    description: `${ours} null if the run has no criteria.`,
  }),
};

const JourneyRunAttempt = z
  .object({
    chatSessionId: z.string().nullable(),
    hostId: Id,
    targetId: z.string(),
    sessionIndex: Count,
    status: z.enum(attemptStatuses).meta({
      description:
        'succeeded means that the conversation was played to its end, not that its goal was met.',
    }),
    errorCode: z.enum(attemptErrorCodes).nullable(),
    errorMessage: z.string().nullable(),
    sessionId: Id.nullable().meta({ description: ours }),
    begun: Count.meta({ description: `${ours} The number of times the session was started.` }),
  })
  .meta({ id: 'JourneyRunAttempt' });

export const JourneyRun = z
  .object({
    id: Id,
    projectId: Id,
    journeyId: Id,
    waveId: z.string(),
    status: z.enum(journeyRunStatuses),
    canceled: z.boolean(),
    stale: z.boolean(),
    error: z.enum(journeyRunErrors).optional(),
    summary: JourneyRunSummary,
    targets: z.array(JourneyRunTarget),
    persona: z.object({ personaId: Id, name: z.string(), role: z.string() }),
    attempts: z
      .array(JourneyRunAttempt)
      .optional()
      .meta({ description: 'Only in reads of a single run.' }),
    targetSummaries: z
      .array(JourneyRunSummary.extend({ hostId: Id, targetId: z.string() }))
      .optional()
      .meta({ description: 'Only in reads of a single run.' }),
    createdAt: Instant,
    lastHeartbeatAt: Instant.optional(),
    insights: InsightsEnvelope.optional().meta({ description: 'Only in reads of a single run.' }),
    goal: z.string().optional().meta({ description: ours }),
    sessionsPerTarget: z.int().optional().meta({ description: ours }),
    maxTurns: z.int().optional().meta({ description: ours }),
    personaModel: z.string().meta({ description: `${ours} The model that played the user.` }),
    judgeModel: z.string().nullable().optional().meta({ description: ours }),
    startedAt: Instant.nullable().meta({ description: ours }),
    completedAt: Instant.nullable().meta({ description: ours }),
    estimatedCostUsd: z
      .number()
      .nullable()
      .optional()
      .meta({
        description: `${ours} null if a model has no price.`,
      }),
    source: z.enum(['api', 'ui']).meta({ description: ours }),
    isSample: z
      .literal(true)
      .optional()
      .meta({
        description: `${ours} True if the service launched the run for its sample, without a caller of the API.`,
      }),
    ...runVerdictFields,
    refusedCalls: z
      .array(RefusedTool)
      .optional()
      .meta({
        description: `${ours} Only in reads of a single run: tools with calls that a policy refused, so that they were not sent; trials counts sessions. Absent if there are none.`,
      }),
    goalCompletion: JudgedGoals.nullable().meta({
      description: `${ours} The scores of the judge for its sessions; null if no session was judged.`,
    }),
  })
  .meta({ id: 'JourneyRun' });

export const JourneyRunPage = pageOf(JourneyRun, 'JourneyRunPage');

export const JourneyRunCanceled = z
  .object({
    id: Id,
    status: z.enum(journeyRunStatuses),
    canceled: z.literal(true),
    alreadyCanceled: z.boolean(),
    finalized: Count.meta({ description: 'The number of attempts that this request ended.' }),
  })
  .meta({ id: 'JourneyRunCanceled' });

export const sessionChainFields = {
  stageResults: z.array(StageResultRow),
  firstFailedStage: z.enum(stages).optional(),
  failureCategory: z.enum(failureCategories).optional(),
  stageAnalyzerVersion: z.int(),
};

export const JourneyRunSession = z
  .object({
    id: Id,
    chatSessionId: z.string(),
    projectId: Id,
    hostId: Id,
    runId: Id,
    journeyId: Id,
    personaId: Id,
    personaLabel: z.string(),
    status: z.enum(['active', 'archived']).nullable(),
    outcome: z.enum(attemptStatuses).nullable(),
    readiness: z
      .object({
        status: z.literal('completed'),
        verdict: z.enum(['ready', 'needs_attention', 'not_ready']),
        issueCount: Count,
      })
      .nullable(),
    goalScore: z
      .looseObject({
        status: z.enum(['pending', 'completed', 'failed']),
        score: z.number().nullable(),
        passed: z.boolean().nullable(),
        threshold: z.number(),
        reason: z.string().nullable(),
        judgeModel: z.string(),
      })
      .nullable()
      .meta({
        description:
          'The score of the judge; null if the session was not judged. It decides nothing.',
      }),
    messageCount: Count,
    preview: z.string().optional(),
    modelId: z.string(),
    startedAt: Instant.nullable(),
    lastActivityAt: Instant.nullable(),
    targetId: z.string().meta({ description: ours }),
    sessionIndex: Count.meta({ description: ours }),
    endReason: z.enum(sessionEndReasons).nullable().meta({ description: ours }),
    result: z.enum(['passed', 'failed']).nullable().meta({ description: ours }),
    grading: z
      .object({
        status: z.enum(['pending', 'completed', 'failed']).nullable(),
        gradedAt: Instant.nullable(),
      })
      .meta({ description: ours }),
    criteria: z
      .array(z.object({ criterionId: z.string(), passed: z.boolean(), reason: z.string() }))
      .meta({ description: `${ours} Empty unless the grading is completed.` }),
    chain: z.object(sessionChainFields).nullable().meta({ description: ours }),
    nextAction: z
      .string()
      .nullable()
      .meta({ description: `${ours} The next step, derived from the failure category alone.` }),
    advice: z
      .string()
      .nullable()
      .meta({
        description: `${ours} More specific advice, if the session shows more than its category.`,
      }),
    refusedCalls: z
      .array(RefusedCall)
      .optional()
      .meta({
        description: `${ours} Calls that a policy refused, so that they were not sent. Absent if there are none.`,
      }),
    turnCount: Count.meta({ description: ours }),
    toolCallCount: Count.meta({ description: ours }),
    toolErrorCount: Count.meta({ description: ours }),
    usage: z
      .object({ inputTokens: Count, outputTokens: Count, totalTokens: Count })
      .partial()
      .nullable()
      .meta({ description: ours }),
    tracePath: z.string().meta({ description: ours }),
    personaModel: z.string().meta({ description: ours }),
  })
  .meta({ id: 'JourneyRunSession' });

export const JourneyRunSessionPage = pageOf(JourneyRunSession, 'JourneyRunSessionPage');
