import {
  caseStabilities,
  DecisionCase,
  grouped,
  intervalMethods,
  mostResultsOfHistories,
  mostRunsOfFlakiness,
  rateSides,
  stabilityLabels,
  steadyTrials,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.int().min(0);
const Fraction = z.number().min(0).max(1);

const EvalRunStatedInterval = z
  .object({
    confidence: z.literal(0.95),
    method: z.enum(intervalMethods).meta({
      description:
        'wilson is valid for one run with a number of trials that was fixed in advance. anyTime is valid at every look, so it is used over several runs.',
    }),
    lower: Fraction,
    upper: Fraction,
  })
  .meta({ id: 'EvalRunStatedInterval' });

export const OmittedRuns = Count.meta({
  description: `Older runs of the suite that no history contains. The histories of a suite have at most ${grouped(mostResultsOfHistories)} results of case variants, those of the newest runs.`,
});

const EvalRunHistory = z
  .object({
    runs: Count,
    trials: Count.meta({ description: 'Graded ones.' }),
    passed: Count,
    interval: EvalRunStatedInterval.nullable().meta({
      description:
        'The pass rates that no trial of the history rejected (an e-value of 40 on either side). null if there is no trial, or if every rate was rejected because the rate changed over time.',
    }),
    threshold: z
      .object({
        rate: Fraction,
        e: z
          .number()
          .min(0)
          .meta({ description: 'The largest e-value so far; 20 rejects the threshold.' }),
        side: z.enum(rateSides),
        since: z.int().min(1).nullable().meta({
          description:
            'The trial of the history since which side is established; null if it is open.',
        }),
      })
      .nullable()
      .meta({ description: 'null if no decision of the run states a threshold.' }),
    stability: z.enum(caseStabilities).meta({
      description:
        "flaky: neither a rate of at least 0.98 nor one of at most 0.02 explains the results. regressed: with other content, tools or another model it passed more often before (Fisher's exact test, corrected by Holm over all case variants that changed).",
    }),
    steady: z.boolean().meta({
      description: `Whether its last ${steadyTrials} graded trials passed.`,
    }),
  })
  .meta({
    id: 'EvalRunHistory',
    description:
      'The graded trials of the case variant in the runs of the suite up to this one, with the same content, model and tools. Reported runs do not state their tools and count as having the same.',
  });

const EvalRunFlakiness = z
  .object({
    runs: z.int().min(0).max(mostRunsOfFlakiness).meta({
      description: 'The number of runs that graded it, including this one.',
    }),
    eligibleTrials: Count,
    passedTrials: Count,
    mixedRuns: Count.meta({
      description: 'The number of runs in which some trials passed and some failed.',
    }),
    flips: Count.meta({
      description:
        'The number of changes between a run in which all trials had one result and the next such run, in which all had the other.',
    }),
    stability: z.enum(stabilityLabels),
  })
  .meta({
    id: 'EvalRunFlakiness',
    description:
      'Over the last runs of the suite, up to this one, that offered the case variant the same tools.',
  });

const EvalRunVariantStatistics = z
  .object({
    caseId: DecisionCase.shape.caseId.meta({
      description: 'The same caseId as in the decision of the run.',
    }),
    testCaseId: Id.nullable(),
    title: z.string().nullable(),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    trials: Count.meta({ description: 'The number of all trials, graded or not.' }),
    eligibleTrials: Count,
    passedTrials: Count,
    passThreshold: Fraction.nullable().meta({
      description: 'null if no decision of the run states a threshold for the case.',
    }),
    passRateInterval: EvalRunStatedInterval.nullable().meta({
      description: 'The interval of the history, if that has more than one run.',
    }),
    largestK: Count.meta({
      description: 'The largest k for which pass^k is known; 0 if no trial was graded.',
    }),
    passHatK: Fraction.nullable().meta({
      description:
        'The chance that k trials drawn from the graded ones all passed. null if no k was sent, or if k is larger than largestK.',
    }),
    history: EvalRunHistory.nullable().meta({
      description: 'null for replays and for runs with an overlay.',
    }),
    flakiness: EvalRunFlakiness.nullable().meta({
      description: 'null unless toolSurface.state is one.',
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
            'Whether all trials were offered the same tools. unknown: no trial states its tools, as in a run that was reported from outside.',
        }),
        hash: z.string().optional(),
      })
      .meta({ description: 'The tools that the servers listed in the trials of this run.' }),
    omittedRuns: OmittedRuns,
    cases: z.array(EvalRunVariantStatistics),
  })
  .meta({ id: 'EvalRunStatistics' });
export type EvalRunStatistics = z.infer<typeof EvalRunStatistics>;
