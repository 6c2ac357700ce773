import { summaryVerdicts, taskVerdicts } from '@proofmark/domain';
import * as z from 'zod';
import { runStatuses } from '../eval-runs/shapes.ts';
import { Id, Instant, pageOf } from '../fields.ts';

const Count = z.number().int().min(0);
const PassRate = z.number().min(0).max(1);

export const EvalSuiteLatestRun = z
  .object({
    id: Id,
    status: z.enum(runStatuses).meta({ description: 'Lifecycle, not a verdict.' }),
    result: z.enum(taskVerdicts).nullable().meta({
      description: 'null until the run is decided, and if its decision is inconclusive.',
    }),
    verdict: z.enum(summaryVerdicts).meta({
      description: 'The same verdict as in the decision summary of the run.',
    }),
    passRate: PassRate.nullable().meta({
      description: 'null until the run has ended with at least one trial.',
    }),
    passed: Count.nullable(),
    failed: Count.nullable(),
    total: Count.nullable().meta({
      description:
        'An addition of Proofmark beyond the specification: the number of all trials of the run, including those that were not graded.',
    }),
    createdAt: Instant,
  })
  .meta({ id: 'EvalSuiteLatestRun', description: 'Counts of the recorded trials.' });

export const EvalSuite = z
  .object({
    id: Id,
    name: z.string(),
    projectId: Id,
    createdAt: Instant,
    updatedAt: Instant,
    latestRun: EvalSuiteLatestRun.nullable().meta({
      description: 'null if the suite has no run.',
    }),
    totals: z
      .object({ passed: Count, failed: Count, runs: Count })
      .meta({ description: 'The trials of all its runs, and the number of runs.' }),
    passRateTrend: z.array(PassRate).meta({
      description: 'The pass rates of the last ten runs that ended with a trial, oldest first.',
    }),
  })
  .meta({ id: 'EvalSuite' });
export type EvalSuite = z.infer<typeof EvalSuite>;

export const EvalSuitePage = pageOf(EvalSuite, 'EvalSuitePage');
