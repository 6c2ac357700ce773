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
        'Where it was stated: body.… in the request, else its place in the suite, as cases[0] or settings.checks[0].',
    }),
    code: z.enum(warningCodes),
    message: z.string(),
  })
  .meta({ id: 'EvalWarning' });

export const EvalWarnings = z.array(EvalWarning).meta({
  description:
    'An addition of Proofmark beyond the specification: what is no mistake and yet may not be meant, such as a case that asserts nothing or a model that nobody has configured. Tools are looked up in what the servers were last seen to list.',
});
