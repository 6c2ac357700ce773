import { refusalCodes } from '@proofmark/domain';
import * as z from 'zod';

export const ErrorBody = z
  .object({
    code: z.enum(refusalCodes),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    id: 'Error',
    description: 'The body of every answer that is not a success. Match on code, never on message.',
  });

export type ErrorBody = z.infer<typeof ErrorBody>;
