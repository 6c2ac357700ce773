import { defineOperation } from '../operation.ts';
import { EvalIterationRecording } from './recording-shapes.ts';

export const getEvalIterationRecording = defineOperation({
  operationId: 'getEvalIterationRecording',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/recording',
  tag: 'Eval runs',
  summary: 'Read the recording of a trial',
  description:
    'An addition of Proofmark beyond the specification. What the trial said to models and servers and what they answered, without secrets. 404 with details.reason NOT_RECORDED where there is none: recording of the trial says why.',
  access: 'member',
  status: 200,
  output: EvalIterationRecording,
});
