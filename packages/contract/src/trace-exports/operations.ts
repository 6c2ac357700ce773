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
    'The body is an ExportTraceServiceRequest and nothing else; where the next page begins is said in headers. One trace for each trial and each session of a journey that ended 10 seconds ago or earlier, in the order in which their ends were recorded; a session that waits for its grade holds back what ended after it; limit counts traces, and a page ends early at 4 MiB. Keep the last cursor: later it leads to what is new since, and to nothing twice. Ids are the same at every export. What was said and called is left out unless includeContent is true.',
  access: 'account',
  query: ExportQuery,
  page: {
    defaultLimit: 50,
    cursorParameter: 'cursor',
    inside: true,
    counts: 'Traces per page, at most.',
  },
  slow: true,
  answerHeaders: {
    'Proofmark-Next-Cursor':
      'Where the next page begins, also when nothing follows yet; of an empty page the cursor that was sent.',
    'Proofmark-Export-Complete': 'true when nothing more can be exported now, else false.',
  },
  status: 200,
  output: OtlpTraces,
  refusals: ['NOT_FOUND'],
});
