import * as z from 'zod';
import { Id } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { EvalRunSurfaceReport, LintReport } from './surface-shapes.ts';

const tag = 'Eval runs';

export const getEvalRunSurface = defineOperation({
  operationId: 'getEvalRunSurface',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/surface',
  tag,
  summary: 'Compare the tools of two runs',
  description:
    'An addition of Proofmark beyond the specification. The differences between the tools that models were shown in this run and in the run that compareEvalRun compares with, ranked as candidates for the cause of failures.',
  access: 'member',
  query: z.strictObject({
    baseRunId: Id.optional().meta({ description: 'A run of the same suite.' }),
  }),
  status: 200,
  output: EvalRunSurfaceReport,
});

export const getEvalRunLint = defineOperation({
  operationId: 'getEvalRunLint',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/lint',
  tag,
  summary: 'Lint the tools of a run',
  description:
    'An addition of Proofmark beyond the specification. Names, descriptions and schemas that may mislead a model, joined to the failing trials that called a tool, missed it, or mistook another for it.',
  access: 'member',
  status: 200,
  output: LintReport,
});
