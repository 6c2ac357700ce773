import { defineOperation } from '../operation.ts';
import { EvalSuiteFlaky, EvalSuitePlan, EvalSuitePlanRequest } from './planning-shapes.ts';

const tag = 'Eval suites';
const suite = '/projects/{projectId}/eval-suites/{suiteId}';

export const getEvalSuiteFlaky = defineOperation({
  operationId: 'getEvalSuiteFlaky',
  surface: 'api',
  method: 'GET',
  path: `${suite}/flaky`,
  tag,
  summary: 'List the flaky cases of a suite',
  description:
    'An addition of Proofmark beyond the specification. Each case variant with its current history, and the lines of the suite file that would put the flaky ones into quarantine. Nothing is changed.',
  access: 'member',
  status: 200,
  output: EvalSuiteFlaky,
});

export const planEvalSuite = defineOperation({
  operationId: 'planEvalSuite',
  surface: 'api',
  method: 'POST',
  path: `${suite}/plan`,
  tag,
  summary: 'Plan the trials that show a drop of the pass rate',
  description:
    'An addition of Proofmark beyond the specification. For each case variant and for a run: the trials of a fixed and of a sequential plan, the smallest drop that the current settings can show, and the cost by the prices and times of earlier runs. Nothing is created, and no quota is used. Fails with the same errors as a launch.',
  access: 'member',
  effect: 'reads',
  body: EvalSuitePlanRequest,
  status: 200,
  output: EvalSuitePlan,
  refusals: ['CONFLICT'],
});
