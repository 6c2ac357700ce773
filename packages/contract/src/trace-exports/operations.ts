import { defineOperation } from '../operation.ts';
import { ExportQuery, OtlpTraces } from './shapes.ts';

export const exportTracesOtlp = defineOperation({
  operationId: 'exportTracesOtlp',
  surface: 'api',
  method: 'GET',
  path: '/trace-exports/otlp',
  tag: 'Trace export',
  summary: 'Export traces as OTLP/JSON',
  description:
    'The body is an ExportTraceServiceRequest; headers give the start of the next page. There is one trace for each trial and each journey session that ended at least 10 seconds ago, in the order in which their ends were recorded; a session that waits for its grade delays the traces after it. limit counts traces, and a page ends early at 4 MiB. Keep the last cursor: it later continues with new traces, without repetitions. Ids are the same in every export. Messages, arguments and results are included only if includeContent is true.',
  access: 'account',
  query: ExportQuery,
  page: {
    defaultLimit: 50,
    cursorParameter: 'cursor',
    inside: true,
    counts: 'The highest number of traces on a page.',
  },
  slow: true,
  answerHeaders: {
    'Proofmark-Next-Cursor':
      'The cursor of the next page, even if nothing follows yet; for an empty page, the cursor of the request.',
    'Proofmark-Export-Complete': 'true if no more traces can be exported now, else false.',
  },
  status: 200,
  output: OtlpTraces,
  refusals: ['NOT_FOUND'],
});
