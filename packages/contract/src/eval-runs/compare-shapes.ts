import {
  caseChanges,
  correctionLevel,
  pairedLevel,
  pairedMethods,
  RunReplay,
  significances,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { EvalRunCounts } from './shapes.ts';
import { EvalRunSurface, TokensOfSurface } from './surface-shapes.ts';

const Count = z.number().int().min(0);

export const NumericDiff = z
  .object({
    base: z.number().nullable(),
    compare: z.number().nullable(),
    delta: z.number().nullable(),
    percentDelta: z.number().nullable().meta({ description: 'null also where the base is 0.' }),
  })
  .meta({ id: 'NumericDiff' });

const EvalRunCompareSide = z
  .object({
    id: Id,
    runNumber: z.number().int(),
    result: z.string().meta({
      description: 'passed, failed or inconclusive; the status while nothing is decided.',
    }),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    summary: EvalRunCounts.nullable(),
    overlayHash: z.string().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: of a run whose models were shown other tools than servers list.',
    }),
    replay: RunReplay.optional(),
  })
  .meta({ id: 'EvalRunCompareSide' });

const EvalRunCompareCaseSide = z
  .object({
    outcome: z.enum(['passed', 'failed', 'absent']).meta({
      description: 'passed: every trial passed; absent: no trial came to a result.',
    }),
    passedTrials: Count.meta({ description: 'An addition of Proofmark beyond the specification.' }),
    eligibleTrials: Count.meta({
      description: 'An addition of Proofmark beyond the specification: trials that were graded.',
    }),
    iterationIds: z.array(Id).meta({ description: 'The first 20.' }),
    representativeIterationId: Id.nullable().meta({
      description: 'The first trial that did not pass, else the first.',
    }),
    error: z.string().nullable(),
  })
  .meta({ id: 'EvalRunCompareCaseSide' });

const CaseScoreSide = z.object({
  value: z.number().nullable(),
  passed: z.boolean().nullable(),
  status: z.enum(['scored', 'error', 'skipped']),
});

const CaseScoreDelta = z
  .object({
    scorerId: z.string(),
    gating: z.boolean(),
    deterministic: z.boolean(),
    definitionChanged: z.boolean(),
    base: CaseScoreSide.nullable(),
    compare: CaseScoreSide.nullable(),
    value: NumericDiff,
  })
  .meta({ id: 'CaseScoreDelta' });

const Chance = z.number().min(0).max(1).nullable();

const EvalRunPairedComparison = z
  .object({
    pairs: Count.meta({ description: 'Cases with graded trials on both sides.' }),
    clusters: Count.meta({
      description:
        'Groups of pairs that vary together: rows of one case, and one case on several models.',
    }),
    difference: z.number().nullable().meta({
      description:
        'The mean difference of the pass rates over all pairs, this run minus the base; null without a pair.',
    }),
    standardError: z
      .number()
      .nullable()
      .meta({ description: 'null with fewer than two clusters.' }),
    method: z.enum(pairedMethods).meta({
      description:
        "mcnemar: one trial of each case on each side. signFlip: 6 to 19 clusters. t: Student's t from 20 clusters on. none: fewer than 6 clusters, of which nothing can be told.",
    }),
    p: Chance.meta({ description: 'Two-sided; null if the method is none.' }),
    level: z.literal(pairedLevel).meta({
      description: 'A drop is a difference below 0 with p at most this.',
    }),
    left: z.array(z.string()).meta({ description: 'Keys of cases of the base run only.' }),
    right: z.array(z.string()).meta({ description: 'Keys of cases of this run only.' }),
    ungraded: z.array(z.string()).meta({
      description: 'Keys of cases of both runs without a graded trial in one of them.',
    }),
  })
  .meta({ id: 'EvalRunPairedComparison' });

const EvalRunCorrection = z
  .object({
    cases: Count.meta({ description: 'The number of compared cases.' }),
    level: z.literal(correctionLevel),
    gate: z.literal('holm').meta({
      description:
        'If nothing changed, the chance that any case is called outside the noise is at most the level.',
    }),
    list: z.literal('benjaminiHochberg').meta({
      description: 'Of the cases with bh at most the level, about one in twenty is chance.',
    }),
  })
  .meta({ id: 'EvalRunCorrection' });

const EvalRunCompareCase = z
  .object({
    caseKey: z.string(),
    title: z.string(),
    status: z.enum(caseChanges).meta({
      description:
        'By the decisions of both runs, at the threshold of the case. changed: a side has no graded trial, or no decision and both results without a difference outside the noise.',
    }),
    significance: z.enum(significances).meta({
      description:
        'outside_noise: holm is at most 0.05. within_noise: it is larger. too_few: no outcome of so few trials among so many cases could be told from chance, so nothing is said.',
    }),
    p: Chance.meta({
      description:
        "By Fisher's exact test, two-sided, over the graded trials of both sides; null where a side has none.",
    }),
    holm: Chance.meta({ description: 'p, adjusted by Holm for the number of compared cases.' }),
    bh: Chance.meta({ description: 'p, adjusted by Benjamini and Hochberg.' }),
    configChanged: z.boolean().meta({ description: 'What the case asks for is not the same.' }),
    evaluationConfigChanged: z.boolean(),
    scoreDeltas: z.array(CaseScoreDelta),
    base: EvalRunCompareCaseSide,
    compare: EvalRunCompareCaseSide,
  })
  .meta({ id: 'EvalRunCompareCase' });

const ScoreContractSide = z
  .object({
    evaluationConfigHash: z.string().nullable(),
    scoreIntegrity: z.enum(['valid', 'invalid']).nullable(),
    scoredIterations: Count,
    quarantinedIterations: Count,
  })
  .meta({ id: 'ScoreContractSide' });

const ScoreContractScorer = z
  .object({
    scorerId: z.string(),
    gating: z.boolean(),
    deterministic: z.boolean(),
    definitionChanged: z.boolean(),
    passRate: NumericDiff,
    meanValue: NumericDiff,
    errorCount: z.object({ base: Count, compare: Count }),
  })
  .meta({ id: 'ScoreContractScorer' });

export const EvalRunCompare = z
  .object({
    suite: z.object({ id: Id, name: z.string() }),
    baseline: z.object({ policy: z.enum(['previous_completed', 'run']), baseRunId: Id }),
    baseRun: EvalRunCompareSide,
    compareRun: EvalRunCompareSide,
    passSummary: z.object({
      passRatePercent: NumericDiff,
      total: NumericDiff,
      passed: NumericDiff,
      failed: NumericDiff,
    }),
    metrics: z.object({
      wallDurationMs: NumericDiff,
      totalTokens: NumericDiff,
      estimatedCostUsd: NumericDiff,
    }),
    scoreContract: z.object({
      base: ScoreContractSide,
      compare: ScoreContractSide,
      evaluationConfigChanged: z.boolean(),
      scorers: z.array(ScoreContractScorer),
    }),
    paired: EvalRunPairedComparison.nullable().meta({
      description: 'An addition of Proofmark beyond the specification; null if a run has no case.',
    }),
    correction: EvalRunCorrection.meta({
      description: 'An addition of Proofmark beyond the specification.',
    }),
    cases: z.array(EvalRunCompareCase),
    surface: EvalRunSurface.meta({
      description: 'An addition of Proofmark beyond the specification; as getEvalRunSurface.',
    }),
    tokens: z.object({ base: TokensOfSurface, compare: TokensOfSurface }).meta({
      description:
        'An addition of Proofmark beyond the specification: of the tools of each run; empty where no list was kept.',
    }),
  })
  .meta({ id: 'EvalRunCompare' });
