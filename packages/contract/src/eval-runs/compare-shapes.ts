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
    percentDelta: z
      .number()
      .nullable()
      .meta({ description: 'null if the base is 0 or a value is missing.' }),
  })
  .meta({ id: 'NumericDiff' });

const EvalRunCompareSide = z
  .object({
    id: Id,
    runNumber: z.number().int(),
    result: z.string().meta({
      description: 'passed, failed or inconclusive; the status of the run until it is decided.',
    }),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    summary: EvalRunCounts.nullable(),
    overlayHash: z.string().optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the hash of the overlay, if the run showed its models changed tools.',
    }),
    replay: RunReplay.optional(),
  })
  .meta({ id: 'EvalRunCompareSide' });

const EvalRunCompareCaseSide = z
  .object({
    outcome: z.enum(['passed', 'failed', 'absent']).meta({
      description: 'passed: every trial passed; absent: no trial has a result.',
    }),
    passedTrials: Count.meta({ description: 'An addition of Proofmark beyond the specification.' }),
    eligibleTrials: Count.meta({
      description:
        'An addition of Proofmark beyond the specification: the number of graded trials.',
    }),
    iterationIds: z.array(Id).meta({ description: 'The ids of the first 20 trials.' }),
    representativeIterationId: Id.nullable().meta({
      description: 'The first trial that did not pass; if all passed, the first trial.',
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
    pairs: Count.meta({ description: 'The number of cases with graded trials in both runs.' }),
    clusters: Count.meta({
      description:
        'The number of groups of pairs that vary together, such as the rows of one case, or one case on several models.',
    }),
    difference: z.number().nullable().meta({
      description:
        'The mean difference of the pass rates over all pairs: this run minus the base run. null if there is no pair.',
    }),
    standardError: z
      .number()
      .nullable()
      .meta({ description: 'null if there are fewer than two clusters.' }),
    method: z.enum(pairedMethods).meta({
      description:
        "mcnemar: each run has one trial of each case. signFlip: 6 to 19 clusters. t: Student's t, from 20 clusters on. none: fewer than 6 clusters, too few for a test.",
    }),
    p: Chance.meta({ description: 'Two-sided; null if the method is none.' }),
    level: z.literal(pairedLevel).meta({
      description: 'A difference below 0 whose p is at most this level is a drop.',
    }),
    left: z.array(z.string()).meta({ description: 'Keys of cases that only the base run has.' }),
    right: z.array(z.string()).meta({ description: 'Keys of cases that only this run has.' }),
    ungraded: z.array(z.string()).meta({
      description:
        'Keys of cases that both runs have and that have no graded trial in one of them.',
    }),
  })
  .meta({ id: 'EvalRunPairedComparison' });

const EvalRunCorrection = z
  .object({
    cases: Count.meta({ description: 'The number of compared cases.' }),
    level: z.literal(correctionLevel),
    gate: z.literal('holm').meta({
      description:
        'Holm: if nothing changed, the chance that any case is called outside the noise is at most the level.',
    }),
    list: z.literal('benjaminiHochberg').meta({
      description:
        'Benjamini and Hochberg: of the cases whose bh is at most the level, about one in twenty is chance.',
    }),
  })
  .meta({ id: 'EvalRunCorrection' });

const EvalRunCompareCase = z
  .object({
    caseKey: z.string(),
    title: z.string(),
    status: z.enum(caseChanges).meta({
      description:
        'From the decisions of both runs, at the threshold of the case. changed: one run has no graded trial, or there is no decision and the results are mixed without a difference outside the noise.',
    }),
    significance: z.enum(significances).meta({
      description:
        'outside_noise: holm is at most 0.05. within_noise: holm is larger. too_few: with so few trials among so many cases, no result could be distinguished from chance.',
    }),
    p: Chance.meta({
      description:
        "Fisher's exact test, two-sided, over the graded trials of both runs; null if one of them has none.",
    }),
    holm: Chance.meta({
      description: "p, adjusted by Holm's method for the number of compared cases.",
    }),
    bh: Chance.meta({ description: 'p, adjusted by the method of Benjamini and Hochberg.' }),
    configChanged: z
      .boolean()
      .meta({ description: 'True if the content of the case differs between the runs.' }),
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
      description:
        'An addition of Proofmark beyond the specification; the same as the answer of getEvalRunSurface.',
    }),
    tokens: z.object({ base: TokensOfSurface, compare: TokensOfSurface }).meta({
      description:
        'An addition of Proofmark beyond the specification: the tokens of the tools of each run; empty if no list of tools was stored.',
    }),
  })
  .meta({ id: 'EvalRunCompare' });
