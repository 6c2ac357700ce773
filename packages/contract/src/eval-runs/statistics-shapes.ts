/** The statistics that show how reliable a run or a comparison is. */
import {
  DecisionCase,
  mostFurtherTrials,
  mostRunsOfFlakiness,
  PassRateInterval,
  stabilityLabels,
  thresholdSides,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.int().min(0);
const Fraction = z.number().min(0).max(1);

const EvalRunMoreTrials = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('decided'), side: z.enum(thresholdSides) }),
    z.object({ state: z.literal('needed'), trials: z.int().min(1).max(mostFurtherTrials) }),
    z.object({ state: z.literal('beyond'), limit: z.literal(mostFurtherTrials) }),
  ])
  .meta({
    id: 'EvalRunMoreTrials',
    description:
      'decided: the whole interval lies on one side of the pass threshold. needed: so many more trials would bring it there if they pass as often as those before. beyond: no number up to the limit would, as where the rate sits on its threshold.',
  });

const EvalRunFlakiness = z
  .object({
    runs: z.int().min(0).max(mostRunsOfFlakiness).meta({
      description: 'Runs that graded it, this one included.',
    }),
    eligibleTrials: Count,
    passedTrials: Count,
    mixedRuns: Count.meta({ description: 'Runs in which some trials passed and some failed.' }),
    flips: Count.meta({
      description:
        'How often all trials of a run came out one way and all of the next such run the other.',
    }),
    stability: z.enum(stabilityLabels),
  })
  .meta({
    id: 'EvalRunFlakiness',
    description:
      'Over the last runs of the suite up to this one whose trials of the case variant were offered the same tools.',
  });

const EvalRunVariantStatistics = z
  .object({
    caseId: DecisionCase.shape.caseId.meta({ description: 'As the decision of the run names it.' }),
    testCaseId: Id.nullable(),
    title: z.string().nullable(),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    trials: Count.meta({ description: 'Graded or not.' }),
    eligibleTrials: Count,
    passedTrials: Count,
    passThreshold: Fraction.nullable().meta({
      description: 'null where no decision of the run states one for the case.',
    }),
    passRateInterval: PassRateInterval.nullable(),
    largestK: Count.meta({
      description: 'The largest k for which pass^k is known; 0 where nothing was graded.',
    }),
    passHatK: Fraction.nullable().meta({
      description:
        'The chance that k trials drawn from the graded ones all passed. null without a k, and for one above largestK.',
    }),
    moreTrials: EvalRunMoreTrials.nullable().meta({
      description: 'null without a pass threshold, and where nothing was graded.',
    }),
    flakiness: EvalRunFlakiness.nullable().meta({
      description: 'null unless toolSurface says one.',
    }),
  })
  .meta({ id: 'EvalRunVariantStatistics' });

export const EvalRunStatistics = z
  .object({
    runId: Id,
    unit: z.literal('caseVariant'),
    k: z.int().min(1).max(100).nullable(),
    toolSurface: z
      .object({
        state: z.enum(['one', 'several', 'unknown']).meta({
          description:
            'Whether all trials were offered the same tools. unknown: none says, as in a run that was reported from outside.',
        }),
        hash: z.string().optional(),
      })
      .meta({ description: 'The tools that the servers listed to the trials of this run.' }),
    cases: z.array(EvalRunVariantStatistics),
  })
  .meta({ id: 'EvalRunStatistics' });
export type EvalRunStatistics = z.infer<typeof EvalRunStatistics>;
