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
import { ConformanceSuite } from '../servers/conformance-operations.ts';
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
    passRate: z
      .number()
      .nullable()
      .meta({ description: 'passed / total; null if there are no trials.' }),
  })
  .partial()
  .meta({ id: 'EvalRunCounts', description: 'Counts of the recorded trials.' });

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
        'An addition of Proofmark beyond the specification: the reason why the service ended the run before it was completed.',
    }),
    maxCredits: z.number().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the most credits that the run may use, if its launch states a limit.',
    }),
    seed: z.number().int().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the seed of the launch, used if case, client and suite state none. Providers without support for seeds do not get it.',
    }),
    spending: EvalRunSpending.optional(),
    result: z.enum(taskVerdicts).nullable().meta({
      description: 'null until the run is decided, and if its decision is inconclusive.',
    }),
    verdict: z.enum(summaryVerdicts).meta({
      description:
        'An addition of Proofmark beyond the specification: the same verdict as in the decision summary, so that a gate needs only one read.',
    }),
    undecided: DecisionUndecided.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the reason for the verdict notEstablished.',
    }),
    summary: EvalRunCounts.nullable().meta({ description: 'null until the run has ended.' }),
    source: z.enum(['ui', 'api', 'sdk', 'conformance']).meta({
      description: 'sdk: reported from outside. conformance: played by the conformance suite.',
    }),
    conformance: z
      .object({ suite: ConformanceSuite, spec: z.string(), note: z.string().nullable() })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: what tests the server in a run of the conformance suite.',
      }),
    isSample: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: true if the service launched the run for its sample, without a caller of the API.',
    }),
    notes: z.string().nullable(),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    scoreIntegrity: z.enum(['valid', 'invalid']).nullable().meta({
      description: 'null if no trial has scores.',
    }),
    environment: EvalRunEnvironment.nullable().meta({
      description: 'The environment when the run began; null if the run uses saved servers.',
    }),
    verdictPolicyVersion: z.literal(2).nullable().meta({
      description: 'null if a percentage of all trials decided the run.',
    }),
    verdictSummary: Decision.nullable().meta({ description: 'The decision, validated.' }),
    trialStatistics: TrialStatistics.nullable(),
    caseTitles: z.record(z.string(), z.string()).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the title of each case of verdictSummary by its caseId, cut at 200 characters. Absent if no title was stored.',
    }),
    assertsNothing: z
      .object({ caseVariants: Count, titles: z.array(z.string()).max(5) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: the number of case variants that assert nothing, so their trials always pass, with the titles of the first five of their cases. Absent if they were not counted.',
      }),
    warnedTrials: z
      .object({ count: Count, messages: z.array(z.string()).max(5) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: the number of trials with warnings, and the first of them. Only in reads of a single run. Absent if there are none.',
      }),
    refusedCalls: z.array(RefusedTool).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: tools with calls that a policy refused, so that they were not sent to the server, at most 50. Only in reads of a single run. Absent if there are none.',
    }),
    leftOut: LeftOut.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: cases that are switched off, and tools that may not be called. Only in reads of a single run. Absent if nothing was left out.',
    }),
    nothingCalled: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: true if the run passed, but no tool, prompt or resource of a server was called. Only in reads of a single run.',
    }),
    plans: RunTrialPlans.nullable().optional().meta({
      description: 'Only in reads of a single run.',
    }),
    gateWaiver: GateWaiver.nullable().meta({
      description: 'The waiver in force; null if there is none.',
    }),
    externalRunId: z.string().nullable(),
    framework: z.string().nullable(),
    ci: z.record(z.string(), z.unknown()).nullable(),
    tags: z.array(z.string()),
    expectedIterations: Count.nullable(),
    iterationCount: Count.meta({ description: 'The number of trials recorded so far.' }),
    executionEngine: z.literal('proofmark').optional().meta({
      description:
        'The program that executed the run; absent if its results were reported from outside.',
    }),
    runGroupId: z.string().optional(),
    rerunOf: z
      .object({ runId: Id, scope: z.enum(rerunScopes) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: the earlier run that this run reruns in part. It may have been deleted since.',
      }),
    replay: RunReplay.optional(),
    sessions: z.literal('run').optional().meta({
      description:
        'An addition of Proofmark beyond the specification: present if all trials of the run shared one session with each server, so that a trial may have seen the effects of another.',
    }),
    decidedBy: DecidedBy.optional(),
    samples: z.array(RowSample).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: cases with data of which the run plays only some rows, with the seed that selected them.',
    }),
    overlay: z
      .object({
        hash: z.string(),
        tools: Count.meta({ description: 'The number of tools in the overlay.' }),
        stated: SurfaceOverlay.optional().meta({
          description: 'Only in reads of a single run.',
        }),
      })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: present if the run has an overlay, which replaced listed tools for models.',
      }),
    judges: EvalRunJudges.optional().meta({
      description: 'Only for runs that were launched here.',
    }),
    insights: InsightsEnvelope.optional().meta({
      description: 'Only in reads of a single run. Absent if there are no insights.',
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
      description: 'Lists contain its first 2,000 characters; getEvalIteration returns all of it.',
    }),
    brokenRule: z.string().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the rule against tool errors that the trial broke, with the tool. It fails a trial even if all its assertions hold. Absent if no rule was broken.',
    }),
    warnings: z
      .array(z.object({ path: z.string(), code: z.enum(trialWarningCodes), message: z.string() }))
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: facts about the trial beside its result. AFTER_FAILED: a call of after failed. AFTER_UNKNOWN: the calls of after were started, and it is unknown which of them arrived. SESSION_REOPENED: the session with a server was lost during the trial and opened again, so the server may not remember earlier calls. CALL_REPEATED: a call got no answer in time while the server was processing other calls of Proofmark, so it was repeated without other calls. STDOUT_NOISE: a stdio server wrote text to its standard output that is no message of the protocol. Absent if there are none.',
      }),
    refusedCalls: z.array(RefusedCall).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: calls of the trial that a policy refused, so that they were not sent to a server. Absent if there are none.',
    }),
    hasTrace: z.boolean().optional().meta({
      description: 'Only for a reported trial: whether it has a trace.',
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
        'An addition of Proofmark beyond the specification: the hash of the overlay of the run. It is part of the hash of the tools.',
    }),
    recording: EvalIterationRecordingState.optional(),
    divergence: Divergence.optional(),
    continuedLive: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: true if a replayed trial diverged from its recording and continued live.',
    }),
  })
  .meta({ id: 'EvalIteration', description: 'One trial of a run.' });

export const EvalIterationPage = pageOf(EvalIteration, 'EvalIterationPage');

export const EvalIterationTrace = z
  .looseObject({
    traceVersion: z.literal(1),
    messages: z.array(z.unknown()),
    spans: z.array(z.unknown()).optional().meta({
      description:
        'Of a launched trial: the span of a call that was answered with a task has `task {states, polls, updates, cancelled}`.',
    }),
    prompts: z.array(z.unknown()).optional().meta({
      description: 'One entry for each turn, with its expected and its actual calls.',
    }),
    // Any record is accepted, because a reporter's own traces may use the name `events` for
    // something else.
    events: z
      .array(z.union([TraceEvent, z.record(z.string(), z.unknown())]))
      .optional()
      .meta({
        description:
          'Only for launched trials: the first 500 notifications and log lines of servers, in order of time.',
      }),
    eventsDropped: Count.optional().meta({
      description: 'The number of further events that are not included; absent if there are none.',
    }),
    excludedTools: z.array(z.unknown()).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: `[{serverName, toolName, reason, path, message}]`, the tools of its servers that clients must hide, so that no model got them. Absent where there is none.',
    }),
    listChanges: z.array(z.unknown()).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: changes of tool lists that servers announced during the trial, with serverName, atMs, added, removed and changed, or with failure if the list could not be read again. Absent if no server announced a change.',
    }),
    sessionsReopened: z.array(z.unknown()).optional().meta({
      description:
        'Only for launched trials: `[{serverName, atMs, reason}]`, the sessions with servers that were lost during the trial and opened again; absent if there are none.',
    }),
  })
  .meta({ id: 'EvalIterationTrace', description: 'As the reporting tool sent it.' });
