import * as z from 'zod';

export const WidgetsTestable = z
  .object({
    testable: z.boolean(),
    reason: z.string().nullable().meta({
      description: 'Why not, and how that is changed; null where they are.',
    }),
  })
  .meta({
    id: 'WidgetsTestable',
    description:
      'Whether cases about widgets can be run: by a browser of the process that answers, as its settings name or find it.',
  });
export type WidgetsTestable = z.infer<typeof WidgetsTestable>;
