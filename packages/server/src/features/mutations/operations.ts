import type { Operations } from '../../platform/operations/action.ts';
import type { EvalsParts } from '../evals/index.ts';
import { cancelEvalSuiteMutation } from './operations/cancel-eval-suite-mutation.ts';
import { createEvalSuiteMutation } from './operations/create-eval-suite-mutation.ts';
import { getEvalSuiteMutation } from './operations/get-eval-suite-mutation.ts';
import { listEvalSuiteMutations } from './operations/list-eval-suite-mutations.ts';

export const mutationsOperations = {
  cancelEvalSuiteMutation,
  createEvalSuiteMutation,
  getEvalSuiteMutation,
  listEvalSuiteMutations,
} satisfies Operations<EvalsParts>;
