import { caseMarks, mostRunsOfHistory, PassRateInterval } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

const Count = z.int().min(0);

export const EvalSuiteHistory = z
  .object({
    runs: z
      .array(
        z.object({
          runId: Id,
          runNumber: z.int(),
          createdAt: Instant,
          passed: Count,
          failed: Count,
          interval: PassRateInterval.nullable().meta({
            description:
              'The interval of the pass rate over the graded trials; null if there are none.',
          }),
        }),
      )
      .max(mostRunsOfHistory)
      .meta({ description: 'The last ended runs, oldest first.' }),
    cases: z
      .array(
        z.object({
          caseId: Id,
          marks: z
            .array(
              z.object({
                runId: Id,
                mark: z.enum(caseMarks),
                passed: Count,
                failed: Count,
                notGraded: Count,
              }),
            )
            .max(mostRunsOfHistory),
          isFlaky: z.boolean().meta({
            description:
              'Whether one of its variants both passed and failed in the last runs with the same tools.',
          }),
        }),
      )
      .meta({
        description:
          'The cases of these runs, each with an entry for every run that played it. If the runs have very many trials, only the newest trials are counted.',
      }),
  })
  .meta({ id: 'EvalSuiteHistory' });
export type EvalSuiteHistory = z.infer<typeof EvalSuiteHistory>;
