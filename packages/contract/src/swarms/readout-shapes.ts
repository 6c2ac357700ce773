/** What is counted of journey runs: the scorecard of one, and the overview of a project. */
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { JourneyRunSummary } from './run-shapes.ts';

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
    failedGradingCount: Count.meta({ description: 'Never a part of failCount.' }),
    role: z.enum(['gating', 'advisory']).meta({ description: `${addition}what it decides.` }),
    failRate: Rate.nullable().meta({
      description: `${addition}failCount by sessionsGraded; null where none is graded.`,
    }),
    interval: z
      .object({ confidence: Rate, lower: Rate, upper: Rate })
      .nullable()
      .meta({
        description: `${addition}Wilson interval of failRate; null where graded sessions of a target are copies of each other.`,
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
      description: `${addition}how many graded sessions differ from each other.`,
    }),
    ungraded: z
      .object({
        provider: Count,
        setup: Count,
        policy: Count,
        canceled: Count,
        timedOut: Count,
        credits: Count,
        ours: Count,
        unplayed: Count,
      })
      .meta({
        description: `${addition}sessions that were not played to their end, by what ended them; they stand in no rate.`,
      }),
    simulatedUserFailedCount: Count.meta({
      description: `${addition}how many of ungraded.ours ended because the model that plays the user failed or gave no usable answer.`,
    }),
    notEndedCount: Count.meta({
      description: `${addition}how many of ungraded.unplayed wait or go on.`,
    }),
  })
  .meta({ id: 'RunScorecard' });

const GoalCompletion = z.object({
  gradedCount: Count.meta({ description: 'Sessions that were judged.' }),
  passedCount: Count,
  avgScore: Rate.nullable(),
  pendingCount: Count.nullable(),
  failedCount: Count.nullable(),
});

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
      description: 'Runs of the journey, back from the newest, that fail it one after the other.',
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
          status: z.string(),
          waveId: z.string().optional(),
          summary: JourneyRunSummary,
          goalCompletion: GoalCompletion.nullable(),
          findings: z.array(SwarmOverviewFinding).meta({
            description: 'Of the newest run of a journey; empty on its older ones.',
          }),
          targets: z.array(
            z.object({
              hostName: z.string(),
              modelId: z.string(),
              environmentName: z.string().optional(),
            }),
          ),
          createdAt: Instant,
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
