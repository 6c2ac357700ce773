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
  summary: 'Tell how the tools of two runs differ',
  description:
    'An addition of Proofmark beyond the specification. What a model was shown in this run and was not in the run that compareEvalRun compares with, ranked as candidates for the cause of what failed.',
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
  summary: 'Check the tools that a run was shown',
  description:
    'An addition of Proofmark beyond the specification. What names, descriptions and schemas leave a model in doubt about, joined to the failing trials that called a tool, missed it, or took it for another.',
  access: 'member',
  status: 200,
  output: LintReport,
});
