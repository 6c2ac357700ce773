import * as z from 'zod';

export const insightsRequestFields = {
  force: z.boolean().optional().meta({
    description:
      'Request again although there is an answer, or one is pending. It counts against the limit again.',
  }),
};

export const insightsRequestedFields = {
  status: z.literal('pending'),
  reused: z.literal(true).optional().meta({
    description:
      'An addition of Proofmark beyond the specification: true if an existing or pending explanation was kept, so that nothing was counted.',
  }),
  insightsStatus: z.enum(['pending', 'completed']).meta({
    description:
      'An addition of Proofmark beyond the specification: the state of the insights. The field status is the same in every answer.',
  }),
};
