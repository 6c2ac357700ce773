import type { Stage } from '../chain/vocabulary.ts';

export const mutationOperators = [
  'tool-missing',
  'description-blank',
  'descriptions-exchanged',
  'parameter-renamed',
  'parameter-required',
  'error',
  'empty',
  'truncated',
  'previous-answer',
  'number-off-by-one',
  'field-missing',
  'wrong-type',
  'slow',
] as const;
export type MutationOperator = (typeof mutationOperators)[number];

export const defaultMutants = 60;
export const mostMutants = 500;

export type MutationSide = 'surface' | 'answer';

const traits: Readonly<
  Record<MutationOperator, { readonly side: MutationSide; readonly stage: Stage }>
> = {
  'tool-missing': { side: 'surface', stage: 'discovery' },
  'description-blank': { side: 'surface', stage: 'selection' },
  'descriptions-exchanged': { side: 'surface', stage: 'selection' },
  'parameter-renamed': { side: 'surface', stage: 'call' },
  'parameter-required': { side: 'surface', stage: 'call' },
  error: { side: 'answer', stage: 'response' },
  empty: { side: 'answer', stage: 'response' },
  truncated: { side: 'answer', stage: 'response' },
  'previous-answer': { side: 'answer', stage: 'response' },
  'number-off-by-one': { side: 'answer', stage: 'response' },
  'field-missing': { side: 'answer', stage: 'response' },
  'wrong-type': { side: 'answer', stage: 'response' },
  slow: { side: 'answer', stage: 'response' },
};

export function sideOfOperator(operator: MutationOperator): MutationSide {
  return traits[operator].side;
}

export function stageOfOperator(operator: MutationOperator): Stage {
  return traits[operator].stage;
}
