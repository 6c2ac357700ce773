/** The preview of a tool's widget, rendered once before it is tested. */
import { WidgetAction } from '@proofmark/domain';
import * as z from 'zod';
import { seenOfWidget } from '../eval-runs/widget-shapes.ts';

const open = z.record(z.string(), z.unknown());

export const WidgetPreviewRequest = z
  .strictObject({
    clientId: z.string().min(1).max(200).optional().meta({
      description: 'The id or the name of a client of the project, whose part the service plays.',
    }),
    toolName: z.string().min(1).max(512),
    arguments: open.optional().meta({ description: 'Those of the call whose result is shown.' }),
    result: open.meta({ description: 'What the tool answered, as callTool answers it.' }),
    actions: z.array(WidgetAction).max(20).optional().meta({
      description: 'Done in order once it is shown, up to the first that cannot be done.',
    }),
  })
  .meta({ id: 'WidgetPreviewRequest' });

export const WidgetPreview = z
  .object({
    ...seenOfWidget,
    answers: z
      .array(z.object({ ok: z.boolean(), reason: z.string().nullable() }))
      .meta({ description: 'One for each action that was tried, in order.' }),
    pictures: z
      .array(
        z.object({
          afterAction: z
            .number()
            .int()
            .min(0)
            .nullable()
            .meta({ description: 'The index of the action; null: as it was first shown.' }),
          width: z.number().int(),
          height: z.number().int(),
          png: z.string().meta({ description: 'The PNG, in base64.' }),
        }),
      )
      .meta({ description: 'At most 21, and 8 MiB of them; passwords are covered.' }),
  })
  .meta({ id: 'WidgetPreview', description: 'What a user would see, and what the widget did.' });
