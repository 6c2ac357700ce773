import { caseWarningCodes } from '@proofmark/domain';
import * as z from 'zod';

export const warningCodes = [
  ...caseWarningCodes,
  'CASE_IMPORTED_IN_PART',
  'TEXT_CUT_BY_COMMENT',
] as const;

export const EvalWarning = z
  .object({
    path: z.string().meta({
      description:
        'The place of the cause: body.… in the request, or its place in the suite, such as cases[0] or settings.checks[0].',
    }),
    code: z.enum(warningCodes),
    message: z.string(),
  })
  .meta({ id: 'EvalWarning' });

export const EvalWarnings = z.array(EvalWarning).meta({
  description:
    'An addition of Proofmark beyond the specification: settings that are valid but perhaps unintended, such as a case that asserts nothing, or a model that is not configured. Tools are compared with the last known lists of the servers.',
});
