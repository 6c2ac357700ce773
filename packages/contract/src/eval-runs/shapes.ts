import {
  DecidedBy,
  Decision,
  DecisionCase,
  DecisionUndecided,
  Divergence,
  failureCategories,
  InsightsEnvelope,
  LeftOut,
  RefusedCall,
  RefusedTool,
  RowSample,
  RunReplay,
  RunTrialPlans,
  rerunScopes,
  Score,
  StageResultRow,
  SurfaceOverlay,
  stages,
  summaryVerdicts,
  TraceEvent,
  TrialStatistics,
  taskVerdicts,
  trialStatuses,
  trialWarningCodes,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';
import { GateWaiver } from '../gate-waivers/shapes.ts';
import { EvalRunJudges } from './judge-shapes.ts';
import { EvalIterationRecordingState } from './recording-shapes.ts';
import { EvalRunSpending } from './spending-shapes.ts';

const Count = z.number().int().min(0);

export const runStatuses = [
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const;

export const EvalRunCounts = z
  .object({
    total: Count,
    passed: Count,
    failed: Count,
    passRate: z.number().nullable().meta({ description: 'passed / total; null without a trial.' }),
  })
  .partial()
  .meta({ id: 'EvalRunCounts', description: 'Trials as they were recorded.' });

export const EvalRunEnvironment = z
  .object({ id: Id, name: z.string().nullable(), revision: z.number().int().nullable() })
  .meta({ id: 'EvalRunEnvironment' });

export const EvalRun = z
  .object({
    id: Id,
    suiteId: Id,
    projectId: Id,
    runNumber: z.number().int(),
    status: z.enum(runStatuses).meta({ description: 'Lifecycle, not a verdict.' }),
    stopReason: z.enum(['credits']).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: why the service ended the run before it was completed.',
    }),
    maxCredits: z.number().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the most credits that the run may use, where its launch says so.',
    }),
    seed: z.number().int().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the seed that its launch gave models for which case, client and suite state none. Providers that take no seed are asked without it.',
    }),
    spending: EvalRunSpending.optional(),
    result: z.enum(taskVerdicts).nullable().meta({
      description: 'null until the run is decided, and when its decision is inconclusive.',
    }),
    verdict: z.enum(summaryVerdicts).meta({
      description:
        'An addition of Proofmark beyond the specification: the verdict as the decision summary says it, so that one read is enough for a gate.',
    }),
    undecided: DecisionUndecided.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: why the verdict is notEstablished.',
    }),
    summary: EvalRunCounts.nullable().meta({ description: 'null until the run has ended.' }),
    source: z.enum(['ui', 'api', 'sdk']).meta({ description: 'sdk: reported from outside.' }),
    isSample: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the service launched the run for its sample; no caller of the API did.',
    }),
    notes: z.string().nullable(),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    scoreIntegrity: z.enum(['valid', 'invalid']).nullable().meta({
      description: 'null when no trial carries scores.',
    }),
    environment: EvalRunEnvironment.nullable().meta({
      description: 'As it was when the run began; null for a saved server selection.',
    }),
    verdictPolicyVersion: z.literal(2).nullable().meta({
      description: 'null: a percent threshold over all trials decided the run.',
    }),
    verdictSummary: Decision.nullable().meta({ description: 'The decision, validated.' }),
    trialStatistics: TrialStatistics.nullable(),
    caseTitles: z.record(z.string(), z.string()).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: what people call each case of verdictSummary, by its caseId, cut at 200 characters. Absent where no title was kept.',
    }),
    assertsNothing: z
      .object({ caseVariants: Count, titles: z.array(z.string()).max(5) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: case variants whose trials pass whatever was done, and what the first five of their cases are called. Absent where nobody counted them.',
      }),
    warnedTrials: z
      .object({ count: Count, messages: z.array(z.string()).max(5) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: trials that have warnings, and the first of those. Where one run is read, never in lists. Absent where there is none.',
      }),
    refusedCalls: z.array(RefusedTool).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: tools of which calls were refused by policy and not sent to the server, at most 50. Where one run is read, never in lists. Absent where there is none.',
    }),
    leftOut: LeftOut.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: cases that are switched off, and tools that may not be called. Absent where nothing was left out. Where one run is read, never in lists.',
    }),
    nothingCalled: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: it passed, and no tool, prompt or resource of a server was called. Where one run is read, never in lists.',
    }),
    plans: RunTrialPlans.nullable().optional().meta({
      description: 'Where one run is read, never in lists.',
    }),
    gateWaiver: GateWaiver.nullable().meta({ description: 'The waiver in force, or null.' }),
    externalRunId: z.string().nullable(),
    framework: z.string().nullable(),
    ci: z.record(z.string(), z.unknown()).nullable(),
    tags: z.array(z.string()),
    expectedIterations: Count.nullable(),
    iterationCount: Count.meta({ description: 'Trials recorded so far.' }),
    executionEngine: z.literal('proofmark').optional().meta({
      description: 'Who ran it; absent where the results were reported from outside.',
    }),
    runGroupId: z.string().optional(),
    rerunOf: z
      .object({ runId: Id, scope: z.enum(rerunScopes) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: present where the run runs again what came of an earlier one, which may be gone since.',
      }),
    replay: RunReplay.optional(),
    sessions: z.literal('run').optional().meta({
      description:
        'An addition of Proofmark beyond the specification: present where all trials of the run shared one session with each server, so that one may have seen what another did.',
    }),
    decidedBy: DecidedBy.optional(),
    samples: z.array(RowSample).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: cases with data of which the run plays only some rows, with the seed they were taken by.',
    }),
    overlay: z
      .object({
        hash: z.string(),
        tools: Count.meta({ description: 'How many tools it speaks of.' }),
        stated: SurfaceOverlay.optional().meta({
          description: 'Where one run is read, never in lists.',
        }),
      })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: present where models were shown other tools than servers list.',
      }),
    judges: EvalRunJudges.optional().meta({ description: 'Of a run that was launched here.' }),
    insights: InsightsEnvelope.optional().meta({
      description: 'Where one run is read, never in lists. Absent: not available.',
    }),
  })
  .meta({ id: 'EvalRun', description: 'One run of a suite.' });
export type EvalRun = z.infer<typeof EvalRun>;

export const EvalRunPage = pageOf(EvalRun, 'EvalRunPage');

const ToolCall = z.record(z.string(), z.unknown());

export const EvalIteration = z
  .object({
    id: Id,
    testCaseId: Id.nullable(),
    caseId: DecisionCase.shape.caseId
      .optional()
      .meta({ description: 'The declared id of the case.' }),
    title: z.string().nullable(),
    iterationNumber: Count,
    status: z.enum(trialStatuses).meta({ description: 'Lifecycle, not a verdict.' }),
    result: z.enum(taskVerdicts).nullable(),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    startedAt: Instant.nullable(),
    durationMs: z.number().nullable(),
    tokensUsed: z.number().nullable(),
    usage: z.record(z.string(), z.unknown()).nullable(),
    actualToolCalls: z.array(ToolCall),
    expectedToolCalls: z.array(ToolCall),
    error: z.string().nullable().meta({
      description: 'In a list its first 2,000 characters; the trial itself has all of it.',
    }),
    brokenRule: z.string().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the rule that an error of a tool broke, with the tool, which fails a trial also where all of its assertions hold. Absent where there is none.',
    }),
    warnings: z
      .array(z.object({ path: z.string(), code: z.enum(trialWarningCodes), message: z.string() }))
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: what is to be known of the trial beside its result. AFTER_FAILED: a call of after failed. AFTER_UNKNOWN: they were begun, and it is not known which of them arrived. SESSION_REOPENED: the session with a server was lost during the trial and opened anew, so the server may not remember what was done before. CALL_REPEATED: a call got no answer in time while other calls of Proofmark were with the server, so it was made once more, alone. STDOUT_NOISE: a stdio server wrote to its standard output what is no message of the protocol. Absent where there is nothing.',
      }),
    refusedCalls: z.array(RefusedCall).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: calls of the trial that a policy refused, so that they were not sent to a server. Absent where there is none.',
    }),
    hasTrace: z.boolean().optional().meta({
      description: 'Of a reported trial: whether it came with a trace.',
    }),
    scores: z.array(Score).optional(),
    evaluationConfig: z.record(z.string(), z.unknown()).optional(),
    scoreIntegrity: z.literal('score_integrity_invalid').optional(),
    stageResults: z.array(StageResultRow).optional(),
    firstFailedStage: z.enum(stages).optional(),
    failureCategory: z.enum(failureCategories).optional(),
    stageAnalyzerVersion: Count.optional(),
    stageResultsUnverified: z.literal(true).optional(),
    spending: EvalRunSpending.optional(),
    overlayHash: z.string().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: of the overlay of its run, and a part of the hash of its tools.',
    }),
    recording: EvalIterationRecordingState.optional(),
    divergence: Divergence.optional(),
    continuedLive: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: a replayed trial that went another way, and went on with what was not recorded.',
    }),
  })
  .meta({ id: 'EvalIteration', description: 'One trial of a run.' });

export const EvalIterationPage = pageOf(EvalIteration, 'EvalIterationPage');

export const EvalIterationTrace = z
  .looseObject({
    traceVersion: z.literal(1),
    messages: z.array(z.unknown()),
    spans: z.array(z.unknown()).optional(),
    prompts: z.array(z.unknown()).optional().meta({
      description: 'One row for each turn: what was expected beside what was done.',
    }),
    // Any record is accepted, because a reporter's own traces may use the name `events` for
    // something else.
    events: z
      .array(z.union([TraceEvent, z.record(z.string(), z.unknown())]))
      .optional()
      .meta({
        description:
          'Of a launched trial: what servers said beside their answers, the first 500, in order of time.',
      }),
    eventsDropped: Count.optional().meta({
      description: 'How many came after those; absent where none did.',
    }),
    excludedTools: z.array(z.unknown()).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: `[{serverName, toolName, reason, path, message}]`, the tools of its servers that clients must hide, so that no model got them. Absent where there is none.',
    }),
    listChanges: z.array(z.unknown()).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: what changed in the tools of servers that said so during the trial, with serverName, atMs, added, removed and changed; failure where the list could not be read again. Absent where no server said so.',
    }),
    sessionsReopened: z.array(z.unknown()).optional().meta({
      description:
        'Of a launched trial: `[{serverName, atMs, reason}]`, the sessions with servers that were lost while it ran and opened anew; absent where none was.',
    }),
  })
  .meta({ id: 'EvalIterationTrace', description: 'As the tool reported it.' });
