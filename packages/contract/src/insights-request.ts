import * as z from 'zod';

export const insightsRequestFields = {
  force: z.boolean().optional().meta({
    description: 'Ask again although there is an answer, or one is on its way. It counts again.',
  }),
};

export const insightsRequestedFields = {
  status: z.literal('pending'),
  reused: z.literal(true).optional().meta({
    description:
      'An addition of Proofmark beyond the specification: what is there, or on its way, stands, and nothing was counted.',
  }),
  insightsStatus: z.enum(['pending', 'completed']).meta({
    description:
      'An addition of Proofmark beyond the specification: how far they are. status is the same in every answer.',
  }),
};
