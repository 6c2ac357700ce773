import { journeyRunErrors, journeyRunStatuses, mostFailReasons } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { JourneyRunSummary, JudgedGoals, runVerdictFields, ungradedFields } from './run-shapes.ts';

export const addition = 'An addition of Proofmark beyond the specification: ';
const Count = z.int().nonnegative();
const Rate = z.number().min(0).max(1);

export const ScorecardCriterion = z
  .object({
    id: z.string(),
    label: z.string().nullable(),
    kind: z.string(),
    passCount: Count,
    failCount: Count,
    pendingCount: Count,
    failedGradingCount: Count.meta({ description: 'Not included in failCount.' }),
    role: z
      .enum(['gating', 'advisory'])
      .meta({ description: `${addition}whether the criterion decides the verdict.` }),
    failRate: Rate.nullable().meta({
      description: `${addition}failCount / sessionsGraded; null if no session is graded.`,
    }),
    interval: z
      .object({ confidence: Rate, lower: Rate, upper: Rate })
      .nullable()
      .meta({
        description: `${addition}the Wilson interval of failRate; null if graded sessions of a target are copies of each other.`,
      }),
    failReasons: z
      .array(
        z.object({
          reason: z.string(),
          sessionCount: Count.meta({
            description: 'The number of graded sessions with exactly this reason.',
          }),
          sessionId: Id.nullable().meta({ description: 'The first of these sessions.' }),
        }),
      )
      .meta({
        description: `${addition}the reasons why the criterion failed, the ${mostFailReasons} most frequent first.`,
      }),
  })
  .meta({ id: 'ScorecardCriterion' });

export const RunScorecard = z
  .object({
    runId: Id,
    criteria: z.array(ScorecardCriterion),
    sessionsTotal: Count,
    sessionsGraded: Count,
    distinctTranscripts: Count.meta({
      description: `${addition}the number of graded sessions with different transcripts.`,
    }),
    ...ungradedFields,
  })
  .meta({ id: 'RunScorecard' });

export const SwarmOverviewFinding = z
  .object({
    criterionId: z.string(),
    label: z.string().nullable(),
    kind: z.string().nullable(),
    failCount: Count,
    pendingCount: Count,
    failedGradingCount: Count,
    sessionsGraded: Count,
    runStreak: Count.meta({
      description:
        'The number of consecutive newest runs of the journey that failed the criterion.',
    }),
  })
  .meta({ id: 'SwarmOverviewFinding' });

export const SwarmOverview = z
  .object({
    runs: z.array(
      z
        .object({
          runId: Id,
          journeyId: Id,
          journeyName: z.string(),
          journeyArchived: z.boolean(),
          personaName: z.string(),
          status: z.enum(journeyRunStatuses),
          error: z
            .enum(journeyRunErrors)
            .optional()
            .meta({
              description: `${addition}the reason why the run ended before all its sessions.`,
            }),
          waveId: z.string().optional(),
          summary: JourneyRunSummary,
          goalCompletion: JudgedGoals.nullable(),
          findings: z.array(SwarmOverviewFinding).meta({
            description: 'Only for the newest run of a journey; empty for older runs.',
          }),
          targets: z.array(
            z.object({
              hostName: z.string(),
              modelId: z.string(),
              environmentName: z.string().optional(),
            }),
          ),
          createdAt: Instant,
          ...runVerdictFields,
        })
        .meta({ id: 'SwarmOverviewRun' }),
    ),
    runsConsidered: Count,
    goalCompletion: z.object({
      gradedCount: Count,
      passedCount: Count,
      passRate: Rate.nullable(),
      runsWithGrades: Count,
      trend: z.array(
        z.object({ dayStartMs: Instant, gradedCount: Count, passedCount: Count, passRate: Rate }),
      ),
    }),
  })
  .meta({ id: 'SwarmOverview' });
