import { EvalCaseDefinition, incomparableReasons } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { insightsRequestedFields, insightsRequestFields } from '../insights-request.ts';
import { JourneyRunSummary } from './run-shapes.ts';

const Count = z.int().nonnegative();
const Rate = z.number().min(0).max(1);
export const WaveId = z.string().min(1).max(64);

export const Wave = z
  .object({
    waveId: WaveId,
    projectId: Id,
    terminal: z.boolean(),
    mined: z.boolean(),
    runs: z.array(
      z.object({
        id: Id,
        journeyId: Id,
        status: z.string(),
        canceled: z.boolean(),
        stale: z.boolean(),
        summary: JourneyRunSummary,
      }),
    ),
    sessionsGraded: Count,
  })
  .meta({ id: 'Wave', description: 'The runs of a project that were launched together.' });

const Side = z.object({ passed: Count, graded: Count, rate: Rate.nullable() });

export const WaveComparison = z
  .object({
    waveId: WaveId,
    baseWaveId: WaveId,
    rows: z.array(
      z.object({
        journeyId: Id,
        targetId: z.string(),
        criterionId: z.string(),
        base: Side,
        current: Side,
        difference: z.object({ lower: z.number(), upper: z.number() }).nullable(),
        outcome: z.enum(['regression', 'no_regression', 'insufficient_data']),
      }),
    ),
    notComparable: z.array(
      z.object({
        journeyId: Id,
        reason: z.enum(incomparableReasons),
        criterionId: z.string().optional(),
      }),
    ),
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
      description: 'Expect every call that succeeded, with its arguments.',
    }),
  })
  .meta({ id: 'SessionEvalCaseRequest' });
