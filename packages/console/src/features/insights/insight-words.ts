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

/** `unit` is the word for the examined item, such as "trial". */
export function evidenceWords(kind: Finding['evidence'][number]['kind'], unit: string): string {
  const which = evidenceKinds[kind];
  return which === undefined ? 'What somebody said' : `${capitalized(unit)} ${which}`;
}

const evidenceKinds: Readonly<Record<Finding['evidence'][number]['kind'], string | undefined>> = {
  tool_error: 'in which the tool failed',
  transcript: 'in which it happened',
  feedback: undefined,
  judge: 'the judge spoke about',
  contrast: 'in which it did not happen',
};

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
