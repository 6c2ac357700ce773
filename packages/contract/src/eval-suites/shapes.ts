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
      description: 'null until the run is decided, and when its decision is inconclusive.',
    }),
    verdict: z.enum(summaryVerdicts).meta({
      description: 'As the decision summary of the run says it.',
    }),
    passRate: PassRate.nullable().meta({ description: 'null until it has ended with a trial.' }),
    passed: Count.nullable(),
    failed: Count.nullable(),
    total: Count.nullable().meta({
      description:
        'An addition of Proofmark beyond the specification: all trials of the run, those that were never graded too.',
    }),
    createdAt: Instant,
  })
  .meta({ id: 'EvalSuiteLatestRun', description: 'Trials as they were recorded.' });

export const EvalSuite = z
  .object({
    id: Id,
    name: z.string(),
    projectId: Id,
    createdAt: Instant,
    updatedAt: Instant,
    latestRun: EvalSuiteLatestRun.nullable().meta({
      description: 'null while the suite has no run.',
    }),
    totals: z
      .object({ passed: Count, failed: Count, runs: Count })
      .meta({ description: 'Trials of all its runs, and how many runs there were.' }),
    passRateTrend: z.array(PassRate).meta({
      description: 'Of the last ten runs that ended with a trial, oldest first.',
    }),
  })
  .meta({ id: 'EvalSuite' });
export type EvalSuite = z.infer<typeof EvalSuite>;

export const EvalSuitePage = pageOf(EvalSuite, 'EvalSuitePage');
