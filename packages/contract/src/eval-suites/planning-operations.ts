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
  summary: 'Tell which cases of a suite are flaky',
  description:
    'An addition of Proofmark beyond the specification. Each case variant with its present history, and the lines that would put the flaky ones into the quarantine of the suite file. Nothing is changed.',
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
  summary: 'Tell what it takes to see a drop',
  description:
    'An addition of Proofmark beyond the specification. For each case variant and for a run: the trials of a fixed and of a sequential plan, the smallest drop that the present settings can see, and the cost by the prices and times of earlier runs. Nothing is made and nothing is counted. Refused where a launch would be.',
  access: 'member',
  effect: 'reads',
  body: EvalSuitePlanRequest,
  status: 200,
  output: EvalSuitePlan,
  refusals: ['CONFLICT'],
});
