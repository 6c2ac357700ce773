import { renderStatuses } from '@proofmark/domain';
import * as z from 'zod';

const Count = z.number().int().min(0);

export const WidgetConsoleLine = z
  .object({
    level: z.enum(['error', 'warning', 'info']),
    text: z.string(),
    atMs: z.number().min(0).meta({ description: 'Since the widget was opened.' }),
  })
  .meta({ id: 'WidgetConsoleLine' });

export const WidgetToolCall = z
  .object({
    toolName: z.string(),
    arguments: z.unknown(),
    outcome: z.enum(['answered', 'error', 'refused']),
    message: z.string().nullable(),
  })
  .meta({ id: 'WidgetToolCall', description: 'A call that the widget made, not the model.' });

export const WidgetRefusedRequest = z
  .object({
    what: z.enum(['request', 'navigation', 'popup', 'download', 'dialog', 'webSocket']),
    url: z.string(),
  })
  .meta({
    id: 'WidgetRefusedRequest',
    description: 'What its declaration does not allow; it never left the browser.',
  });

export const WidgetAccessibilityNote = z
  .object({
    rule: z.string(),
    impact: z.enum(['minor', 'moderate', 'serious', 'critical']),
    help: z.string(),
    elements: Count,
  })
  .meta({ id: 'WidgetAccessibilityNote', description: 'Advice: it decides nothing.' });

export const seenOfWidget = {
  status: z
    .enum(renderStatuses)
    .nullable()
    .meta({ description: 'Only rendered is a success. null: whoever reported it did not say.' }),
  elapsedMs: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'From the result of the call to a widget that shows something.' }),
  message: z.string().nullable().meta({ description: 'Why it did not render.' }),
  consoleLines: z.array(WidgetConsoleLine),
  calls: z.array(WidgetToolCall),
  messages: z
    .array(z.string())
    .meta({ description: 'What it asked to say in the conversation; it was not said.' }),
  links: z.array(z.string()).meta({ description: 'What it asked to open; it was not opened.' }),
  refused: z.array(WidgetRefusedRequest),
  size: z
    .object({ width: z.number().nullable(), height: z.number().nullable() })
    .nullable()
    .meta({ description: 'Of its content, as it last told.' }),
  dropped: z
    .record(z.string(), Count)
    .meta({ description: 'By list, how much did not fit into it.' }),
  accessibility: z
    .array(WidgetAccessibilityNote)
    .nullable()
    .meta({ description: 'null: it was not looked at.' }),
};

export const EvalIterationWidget = z
  .object({
    source: z.enum(['run', 'reported']).meta({
      description: 'reported: as a tool outside told it; nothing of it was run here.',
    }),
    toolName: z.string(),
    serverName: z.string().nullable(),
    toolCallId: z.string().nullable().meta({ description: 'The call whose result it shows.' }),
    promptIndex: Count.nullable(),
    ...seenOfWidget,
    pictures: z.array(
      z.object({
        stepId: z
          .string()
          .nullable()
          .meta({ description: 'The step after which it was taken; null: as it was first shown.' }),
        width: Count,
        height: Count,
        bytes: Count,
        path: z.string().meta({ description: 'Where the PNG is read, on this installation.' }),
      }),
    ),
  })
  .meta({ id: 'EvalIterationWidget', description: 'What was seen of one widget of a trial.' });
export type EvalIterationWidget = z.infer<typeof EvalIterationWidget>;

export const EvalIterationWidgets = z
  .object({ items: z.array(EvalIterationWidget) })
  .meta({ id: 'EvalIterationWidgets', description: 'In the order in which they were opened.' });

/** A custom type, because JSON Schema cannot describe the bytes of a PNG image. */
export const PngPicture = z.custom<Uint8Array>();
