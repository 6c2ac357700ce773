/**
 * The parts of a verdict's rule that the decision does not contain: the percent threshold of a
 * legacy run, the required share per case in a report that is too large for a decision, and the
 * rule for skipped tests of a report.
 */
import * as z from 'zod';
import { skippedRules } from '../ingestion/skipped-trials.ts';

export const DecidedBy = z
  .strictObject({
    minimumPassRate: z.number().exactOptional().meta({
      description: 'The percent of all trials that had to pass.',
    }),
    passThreshold: z.number().exactOptional().meta({
      description:
        'The share of its trials that every case had to pass, if the report has more cases than a decision can hold.',
    }),
    skipped: z.enum(skippedRules).exactOptional().meta({
      description: 'The way in which skipped tests of the report count, if its reporter stated it.',
    }),
  })
  .meta({
    id: 'EvalRunDecidedBy',
    description: 'An addition: the rule that decided the run, if its decision does not contain it.',
  });
export type DecidedBy = z.infer<typeof DecidedBy>;
