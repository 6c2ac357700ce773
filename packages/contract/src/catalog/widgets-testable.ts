import * as z from 'zod';

export const WidgetsTestable = z
  .object({
    testable: z.boolean(),
    reason: z.string().nullable().meta({
      description:
        'The reason why widgets cannot be tested, and how to change that; null if they can be tested.',
    }),
  })
  .meta({
    id: 'WidgetsTestable',
    description:
      'Whether cases with widgets can be run, judged by the browser that the settings of the answering process name or that it finds.',
  });
export type WidgetsTestable = z.infer<typeof WidgetsTestable>;
