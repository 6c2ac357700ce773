/** The words for values of findings. */
import type { EvalRun } from '@proofmark/contract';

type Finding = NonNullable<EvalRun['insights']>['findings'][number];

export const actionWords: Readonly<Record<Finding['actionTarget'], string>> = {
  investigate: 'To be looked into',
  mcp_server: 'The server',
  agent_configuration: 'The model, or what it is told',
  eval_case: 'The case',
  environment: 'The environment',
};

export const surfaceWords: Readonly<Record<NonNullable<Finding['target']>['surface'], string>> = {
  description: 'the description',
  input_schema: 'the input schema',
  output_schema: 'the output schema',
  handler: 'what it does',
  server_instructions: 'the instructions of the server',
  capability: 'a capability',
};

export const evidenceWords: Readonly<Record<Finding['evidence'][number]['kind'], string>> = {
  tool_error: 'Trial in which the tool failed',
  transcript: 'Trial in which it happened',
  feedback: 'What somebody said',
  judge: 'Trial the judge spoke about',
  contrast: 'Trial in which it did not happen',
};
