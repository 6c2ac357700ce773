import { exportSources } from '@proofmark/domain';
import * as z from 'zod';
import { commaListOf, Id } from '../fields.ts';

export const ExportQuery = z.strictObject({
  projectId: Id,
  sourceTypes: commaListOf(exportSources)
    .optional()
    .meta({
      description: `Separated by commas: ${exportSources.join(', ')} (default: eval and swarm). scenario has no traces yet.`,
    }),
  includeContent: z.enum(['true', 'false']).optional().meta({
    description:
      'true: also includes messages, arguments and results, at most 16 KiB of each, with secrets hidden.',
  }),
});

export const OtlpTraces = z
  .looseObject({ resourceSpans: z.array(z.looseObject({})) })
  .meta({ id: 'OtlpTraces', description: 'An ExportTraceServiceRequest of OTLP, as JSON.' });
