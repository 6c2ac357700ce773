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
        description: 'Runs with the same one are a wave. One is made where it is left out.',
      }),
    environmentIds: EnvironmentIds.optional().meta({
      description: 'Take the place of the targets of the journey, for this run.',
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
      description: `${ours} What the run is now: the same key again may find one that has ended.`,
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
        'If every turn asked its models as often as it may, and nothing that is said or answered were longer than 4,096 tokens; null where a model has no price.',
    }),
    unpricedModels: z.array(z.string()),
    assistantModels: z.array(z.string()).meta({ description: 'Of the targets, each once.' }),
    personaModel: z.string().meta({ description: 'Who plays the user.' }),
    judgeModel: z.string().nullable(),
    ownModels: z.array(z.string()).meta({
      description: 'Those that the organization pays for itself; they are in no credits.',
    }),
    creditsLeft: z.number().nonnegative().nullable().meta({
      description: 'What the organization may still spend today; null where nothing limits it.',
    }),
  })
  .meta({ id: 'JourneyRunEstimate' });

export const JourneyRunSummary = z
  .object({ total: Count, succeeded: Count, failed: Count, rateLimited: Count })
  .meta({ id: 'JourneyRunSummary', description: 'What is still open is the rest.' });

export const JourneyRunTarget = z
  .object({
    hostId: Id,
    hostName: z.string(),
    targetId: z.string().meta({ description: 'Opaque, and the only key of a target.' }),
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
      description: `${ours} Sessions that were not played to their end, by what ended them; they stand in no rate.`,
    }),
  simulatedUserFailedCount: Count.meta({
    description: `${ours} How many of ungraded.ours ended because the model that plays the user failed or gave no usable answer.`,
  }),
  notEndedCount: Count.meta({
    description: `${ours} How many of ungraded.unplayed wait or go on.`,
  }),
};

export const JudgedGoals = z
  .object({
    gradedCount: Count.meta({ description: 'Sessions that were judged.' }),
    passedCount: Count,
    avgScore: z.number().min(0).max(1).nullable(),
    pendingCount: Count.nullable(),
    failedCount: Count.nullable(),
  })
  .meta({ description: 'What the judge says of goals; null where nothing was judged.' });

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
    description: 'What the gating criteria of a run say, counted; rates stand in its scorecard.',
  });

export const runVerdictFields = {
  verdict: z.enum(summaryVerdicts).meta({
    description: `${ours} By its gating criteria over graded sessions.`,
  }),
  grades: JourneyRunGrades.nullable().meta({
    description: `${ours} null where the run has no criteria.`,
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
        'succeeded says that the conversation ran to its end, never that its goal was met.',
    }),
    errorCode: z.enum(attemptErrorCodes).nullable(),
    errorMessage: z.string().nullable(),
    sessionId: Id.nullable().meta({ description: ours }),
    begun: Count.meta({ description: `${ours} How often it was begun.` }),
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
    attempts: z.array(JourneyRunAttempt).optional().meta({ description: 'Of a single run alone.' }),
    targetSummaries: z
      .array(JourneyRunSummary.extend({ hostId: Id, targetId: z.string() }))
      .optional()
      .meta({ description: 'Of a single run alone.' }),
    createdAt: Instant,
    lastHeartbeatAt: Instant.optional(),
    insights: InsightsEnvelope.optional().meta({ description: 'Of a single run alone.' }),
    goal: z.string().optional().meta({ description: ours }),
    sessionsPerTarget: z.int().optional().meta({ description: ours }),
    maxTurns: z.int().optional().meta({ description: ours }),
    personaModel: z.string().meta({ description: `${ours} Who played the user.` }),
    judgeModel: z.string().nullable().optional().meta({ description: ours }),
    startedAt: Instant.nullable().meta({ description: ours }),
    completedAt: Instant.nullable().meta({ description: ours }),
    estimatedCostUsd: z
      .number()
      .nullable()
      .optional()
      .meta({
        description: `${ours} null where a model has no price.`,
      }),
    source: z.enum(['api', 'ui']).meta({ description: ours }),
    isSample: z
      .literal(true)
      .optional()
      .meta({
        description: `${ours} The service launched the run for its sample; no caller of the API did.`,
      }),
    ...runVerdictFields,
    refusedCalls: z
      .array(RefusedTool)
      .optional()
      .meta({
        description: `${ours} Of a single run alone: tools of which calls were refused by policy and not sent; trials counts sessions. Absent where none was.`,
      }),
    goalCompletion: JudgedGoals.nullable().meta({
      description: `${ours} What the judge says of its sessions; null where nothing was judged.`,
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
    finalized: Count.meta({ description: 'Attempts that this call ended.' }),
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
      .meta({ description: 'What the judge says; null where nobody judged. It decides nothing.' }),
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
      .meta({ description: `${ours} By the failure category alone.` }),
    advice: z
      .string()
      .nullable()
      .meta({
        description: `${ours} Finer advice, where the session tells more than its category.`,
      }),
    refusedCalls: z
      .array(RefusedCall)
      .optional()
      .meta({
        description: `${ours} Calls that were refused by policy and not sent. Absent where none was.`,
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
