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
            description: 'Of the trials that passed or failed; null where there is none.',
          }),
        }),
      )
      .max(mostRunsOfHistory)
      .meta({ description: 'The last runs that have ended, oldest first.' }),
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
              'Whether trials of one of its variants came out both ways over the last runs that were offered the same tools.',
          }),
        }),
      )
      .meta({
        description:
          'Cases that were played in these runs, each with a mark for every run it was in. Where the runs have very many trials, only the newest of them are counted.',
      }),
  })
  .meta({ id: 'EvalSuiteHistory' });
export type EvalSuiteHistory = z.infer<typeof EvalSuiteHistory>;
