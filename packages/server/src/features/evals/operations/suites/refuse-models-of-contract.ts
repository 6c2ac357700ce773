/**
 * A server contract is a suite that calls no model. So models in it are rejected when it is saved.
 */
import {
  type CaseToWarnOf,
  type ContractProblem,
  contractProblemsOfCase,
  contractProblemsOfSuite,
  type EvalCaseDefinition,
  invalid,
  isContract,
  type SuiteDefinition,
} from '@proofmark/domain';
import { refuse } from '../../../../platform/operations/action.ts';

export function refuseModelsOfContract(
  definition: SuiteDefinition,
  cases: readonly (CaseToWarnOf & { readonly definition: EvalCaseDefinition })[],
  modelPath = 'body',
): void {
  if (!isContract(definition)) return;
  const problems = [
    ...contractProblemsOfSuite(definition).flatMap((problem) =>
      placed(problem.path[0] === 'settings' ? 'body' : modelPath, [problem]),
    ),
    ...cases.flatMap(({ path, definition: one }) => placed(path, contractProblemsOfCase(one))),
  ];
  const [first] = problems;
  if (first === undefined) return;
  refuse(invalid(first.path, first.message, { reason: 'CONTRACT_ASKS_NO_MODEL' }));
}

function placed(place: string, problems: readonly ContractProblem[]) {
  return problems.map(({ path, message }) => {
    const at = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
    return { path: `${place}${at}`, message };
  });
}
