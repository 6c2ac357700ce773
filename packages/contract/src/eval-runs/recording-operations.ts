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
    'An addition of Proofmark beyond the specification. The requests of the trial to models and servers with their answers, without secrets. 404 with details.reason NOT_RECORDED if there is no recording; the field recording of the trial has the reason.',
  access: 'member',
  status: 200,
  output: EvalIterationRecording,
});
