/**
 * The basis of a run's verdict that its decision does not contain: the percent of a legacy run, the
 * share that every case had to pass in a report too large for a decision, and the rule for skipped
 * tests of a report.
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
        'The share of its trials that every case had to pass, in a report that holds more than a decision does.',
    }),
    skipped: z.enum(skippedRules).exactOptional().meta({
      description: 'What skipped tests of the report count as, where its reporter stated it.',
    }),
  })
  .meta({
    id: 'EvalRunDecidedBy',
    description: 'An addition: what decided the run, where its decision does not tell.',
  });
export type DecidedBy = z.infer<typeof DecidedBy>;
