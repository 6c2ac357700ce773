import { defineOperation } from '../operation.ts';
import { EvalIterationWidgets, PngPicture } from './widget-shapes.ts';

const tag = 'Eval runs';

export const getEvalIterationWidgets = defineOperation({
  operationId: 'getEvalIterationWidgets',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/widgets',
  tag,
  summary: 'Read what was seen of the widgets of a trial',
  description:
    'An addition of Proofmark beyond the specification. How showing each ended, what it wrote to its console, which tools it called, what it was refused, and where pictures of it are read. Of a trial that was reported from outside, what widgetSnapshots tell. Empty where no widget was opened, or retention took what was kept.',
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
    'An addition of Proofmark beyond the specification. A PNG, at the path that the widgets of the trial name.',
  access: 'member',
  answersPng: true,
  status: 200,
  output: PngPicture,
});
