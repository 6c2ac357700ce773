import { renderStatuses } from '@proofmark/domain';
import * as z from 'zod';

const Count = z.number().int().min(0);

export const WidgetConsoleLine = z
  .object({
    level: z.enum(['error', 'warning', 'info']),
    text: z.string(),
    atMs: z.number().min(0).meta({ description: 'Milliseconds since the widget was opened.' }),
  })
  .meta({ id: 'WidgetConsoleLine' });

export const WidgetToolCall = z
  .object({
    toolName: z.string(),
    arguments: z.unknown(),
    outcome: z.enum(['answered', 'error', 'refused']),
    message: z.string().nullable(),
  })
  .meta({ id: 'WidgetToolCall', description: 'A tool call that the widget made, not the model.' });

export const WidgetRefusedRequest = z
  .object({
    what: z.enum(['request', 'navigation', 'popup', 'download', 'dialog', 'webSocket']),
    url: z.string(),
  })
  .meta({
    id: 'WidgetRefusedRequest',
    description: 'A request that the declaration of the widget does not allow. It was not sent.',
  });

export const WidgetAccessibilityNote = z
  .object({
    rule: z.string(),
    impact: z.enum(['minor', 'moderate', 'serious', 'critical']),
    help: z.string(),
    elements: Count,
  })
  .meta({ id: 'WidgetAccessibilityNote', description: 'Advisory: it decides nothing.' });

export const seenOfWidget = {
  status: z
    .enum(renderStatuses)
    .nullable()
    .meta({ description: 'Only rendered is a success. null if the reporter did not state it.' }),
  elapsedMs: z.number().min(0).nullable().meta({
    description: 'Milliseconds from the result of the call until the widget showed something.',
  }),
  message: z
    .string()
    .nullable()
    .meta({ description: 'The reason why the widget was not rendered.' }),
  consoleLines: z.array(WidgetConsoleLine),
  calls: z.array(WidgetToolCall),
  messages: z.array(z.string()).meta({
    description: 'Messages that the widget asked to add to the conversation; they were not added.',
  }),
  links: z
    .array(z.string())
    .meta({ description: 'Links that the widget asked to open; they were not opened.' }),
  refused: z.array(WidgetRefusedRequest),
  size: z
    .object({ width: z.number().nullable(), height: z.number().nullable() })
    .nullable()
    .meta({ description: 'The size of its content, as the widget last reported it.' }),
  dropped: z
    .record(z.string(), Count)
    .meta({ description: 'For each list, the number of entries that did not fit.' }),
  accessibility: z
    .array(WidgetAccessibilityNote)
    .nullable()
    .meta({ description: 'null if accessibility was not checked.' }),
};

export const EvalIterationWidget = z
  .object({
    source: z.enum(['run', 'reported']).meta({
      description: 'reported: sent by an external tool; nothing was run here.',
    }),
    toolName: z.string(),
    serverName: z.string().nullable(),
    toolCallId: z
      .string()
      .nullable()
      .meta({ description: 'The call whose result the widget shows.' }),
    promptIndex: Count.nullable(),
    ...seenOfWidget,
    pictures: z.array(
      z.object({
        stepId: z.string().nullable().meta({
          description: 'The step after which the picture was taken; null for the first display.',
        }),
        width: Count,
        height: Count,
        bytes: Count,
        path: z.string().meta({ description: 'The path of the PNG on this installation.' }),
      }),
    ),
  })
  .meta({ id: 'EvalIterationWidget', description: 'The observations of one widget of a trial.' });
export type EvalIterationWidget = z.infer<typeof EvalIterationWidget>;

export const EvalIterationWidgets = z
  .object({ items: z.array(EvalIterationWidget) })
  .meta({ id: 'EvalIterationWidgets', description: 'In the order in which they were opened.' });

/** A custom type, because JSON Schema cannot describe the bytes of a PNG image. */
export const PngPicture = z.custom<Uint8Array>();
