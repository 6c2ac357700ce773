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
        'wilson holds for one run that was planned ahead. anyTime holds at every look together, so it is the one over several runs.',
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
        'The pass rates that no trial of the history rejected (an e-value of 40 on either side). null without a trial, and where every rate was rejected, because the rate changed on the way.',
    }),
    threshold: z
      .object({
        rate: Fraction,
        e: z.number().min(0).meta({ description: 'The largest e-value so far; 20 rejects.' }),
        side: z.enum(rateSides),
        since: z.int().min(1).nullable().meta({
          description: 'The trial of the history from which on the side holds; null if it is open.',
        }),
      })
      .nullable()
      .meta({ description: 'null where no decision of the run states a threshold.' }),
    stability: z.enum(caseStabilities).meta({
      description:
        'flaky: neither a rate of at least 0.98 nor one of at most 0.02 explains the results. regressed: with other content, tools or another model it passed more often before, by Fisher, corrected by Holm over all case variants that changed.',
    }),
    steady: z.boolean().meta({
      description: `Whether its last ${steadyTrials} graded trials passed.`,
    }),
  })
  .meta({
    id: 'EvalRunHistory',
    description:
      'The graded trials of the case variant over the runs of the suite up to this one, with the same content, model and tools. Reported runs do not tell their tools; they count as the same.',
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
    passRateInterval: EvalRunStatedInterval.nullable().meta({
      description: 'That of the history where it has more than one run.',
    }),
    largestK: Count.meta({
      description: 'The largest k for which pass^k is known; 0 where nothing was graded.',
    }),
    passHatK: Fraction.nullable().meta({
      description:
        'The chance that k trials drawn from the graded ones all passed. null without a k, and for one above largestK.',
    }),
    history: EvalRunHistory.nullable().meta({
      description: 'null for replays and for runs with an overlay.',
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
    omittedRuns: OmittedRuns,
    cases: z.array(EvalRunVariantStatistics),
  })
  .meta({ id: 'EvalRunStatistics' });
export type EvalRunStatistics = z.infer<typeof EvalRunStatistics>;
