import {
  EvalCaseDefinition,
  incomparableReasons,
  journeyRunErrors,
  journeyRunStatuses,
  mostComparedSessions,
  waveMinings,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { insightsRequestedFields, insightsRequestFields } from '../insights-request.ts';
import { JourneyRunSummary, JourneyRunTarget, runVerdictFields } from './run-shapes.ts';

const Count = z.int().nonnegative();
const Rate = z.number().min(0).max(1);
export const WaveId = z.string().min(1).max(64);

export const Wave = z
  .object({
    waveId: WaveId,
    projectId: Id,
    terminal: z.boolean(),
    mined: z.boolean(),
    mining: z.enum(waveMinings).meta({
      description: 'failed: the search was given up until another run of the wave ends.',
    }),
    runs: z.array(
      z.object({
        id: Id,
        journeyId: Id,
        status: z.enum(journeyRunStatuses),
        canceled: z.boolean(),
        stale: z.boolean(),
        error: z.enum(journeyRunErrors).optional(),
        summary: JourneyRunSummary,
        ...runVerdictFields,
        persona: z.object({ name: z.string() }),
        personaModel: z.string(),
        judgeModel: z.string().nullable(),
        targets: z.array(JourneyRunTarget),
        criteria: z.array(
          z.object({ id: z.string(), label: z.string().nullable(), kind: z.string() }),
        ),
      }),
    ),
    sessionsGraded: Count,
  })
  .meta({ id: 'Wave', description: 'Runs of a project that were launched together.' });

const Side = z.object({ passed: Count, graded: Count, rate: Rate.nullable() });

const WaveOutcome = z.enum(['regression', 'no_regression', 'insufficient_data']);

export const WaveComparison = z
  .object({
    waveId: WaveId,
    baseWaveId: WaveId,
    terminal: z.object({ base: z.boolean(), current: z.boolean() }).meta({
      description: 'If one of the waves is not terminal, the counts may still change.',
    }),
    rows: z.array(
      z.object({
        journeyId: Id,
        targetId: z.string(),
        criterionId: z.string(),
        role: z
          .enum(['gating', 'advisory'])
          .meta({ description: 'Whether the criterion decides the verdict.' }),
        base: Side,
        current: Side,
        difference: z
          .object({ lower: z.number(), upper: z.number() })
          .nullable()
          .meta({ description: 'The 95 % interval of this difference alone.' }),
        holm: Rate.nullable().meta({
          description:
            "The p-value of Fisher's exact test, corrected by Holm over all rows that have one. Over several rows, a corrected regression has at most 0.05.",
        }),
        outcome: WaveOutcome.meta({ description: 'From the interval of this difference alone.' }),
        corrected: WaveOutcome.meta({
          description:
            'The outcome after correction for the number of rows; sentences use this one.',
        }),
      }),
    ),
    notComparable: z.array(
      z.object({
        journeyId: Id,
        reason: z.enum(incomparableReasons),
        criterionId: z.string().optional(),
        decides: z.boolean().meta({
          description:
            'True if the criterion decided the base wave, so that a regression cannot be excluded.',
        }),
      }),
    ),
    truncated: z
      .literal(true)
      .optional()
      .meta({
        description: `True if a wave has more than ${mostComparedSessions} graded sessions, so that only the newest were compared.`,
      }),
  })
  .meta({ id: 'WaveComparison' });

export const WaveCompareQuery = z.strictObject({ baseWaveId: WaveId });

export const WaveInsightsRequest = z
  .strictObject(insightsRequestFields)
  .meta({ id: 'WaveInsightsRequest' });

export const WaveInsightsRequested = z
  .object({
    waveId: WaveId,
    projectId: Id,
    ...insightsRequestedFields,
  })
  .meta({ id: 'WaveInsightsRequested' });

export const WaveInsightsCanceled = z
  .object({ waveId: WaveId, projectId: Id, canceled: z.literal(true) })
  .meta({ id: 'WaveInsightsCanceled' });

export const WaveInsights = z
  .object({
    waveId: WaveId,
    status: z.enum(['pending', 'completed', 'failed']),
    insights: z.record(z.string(), z.unknown()).nullable(),
    discovery: z.record(z.string(), z.unknown()).nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    updatedAt: Instant,
  })
  .meta({ id: 'WaveInsights' });

export const SessionEvalCaseRequest = z
  .strictObject({
    suiteId: Id,
    title: EvalCaseDefinition.shape.title.optional(),
    declaredId: EvalCaseDefinition.shape.declaredId,
    expectCalls: z.boolean().default(false).meta({
      description:
        'If true, the case expects every successful call of the session, with its arguments.',
    }),
  })
  .meta({ id: 'SessionEvalCaseRequest' });
