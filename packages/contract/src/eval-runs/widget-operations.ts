import { defineOperation } from '../operation.ts';
import { EvalIterationWidgets, PngPicture } from './widget-shapes.ts';

const tag = 'Eval runs';

export const getEvalIterationWidgets = defineOperation({
  operationId: 'getEvalIterationWidgets',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/widgets',
  tag,
  summary: 'Read the observations of the widgets of a trial',
  description:
    'An addition of Proofmark beyond the specification. For each widget: how its display ended, its console output, its tool calls, its rejected requests, and the paths of its pictures. For a trial that was reported from outside, the content of widgetSnapshots. Empty if no widget was opened, or if retention removed the data.',
  access: 'member',
  status: 200,
  output: EvalIterationWidgets,
});

export const getEvalIterationWidgetPicture = defineOperation({
  operationId: 'getEvalIterationWidgetPicture',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/widgets/pictures/{pictureId}',
  tag,
  summary: 'Read a picture of a widget',
  description:
    'An addition of Proofmark beyond the specification. A PNG at one of the paths that getEvalIterationWidgets returns.',
  access: 'member',
  answersPng: true,
  status: 200,
  output: PngPicture,
});
