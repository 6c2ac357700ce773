/**
 * What a run was decided by, where its decision does not tell: the percent of a legacy run, the share that every case of
 * a report had to pass which holds more than a decision does, and what skipped tests of a report count as.
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
