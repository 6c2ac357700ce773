import {
  attemptErrorCodes,
  attemptStatuses,
  failureCategories,
  InsightsEnvelope,
  journeyRunErrors,
  journeyRunStatuses,
  StageResultRow,
  sessionEndReasons,
  stages,
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

/** What became of a session by stage, whoever had it. */
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
    goalScore: z.looseObject({}).nullable(),
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
    nextAction: z.string().nullable().meta({ description: ours }),
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
