import {
  type BodyOf,
  EvalSuiteImportRequest,
  operations,
  ProjectServerCreateRequest,
  ProjectServerUpdateRequest,
} from '@proofmark/contract';
import { invalid, type Refusal, Refused } from '@proofmark/domain';
import { checkShape } from '../../../platform/http/check-shape.ts';
import { jsonProblem } from '../../../platform/http/json-problem.ts';

const shapes = {
  createEvalRun: operations.createEvalRun.body,
  createEvalSuiteMutation: operations.createEvalSuiteMutation.body,
  createProjectServer: ProjectServerCreateRequest,
  importEvalSuite: EvalSuiteImportRequest,
  planEvalSuite: operations.planEvalSuite.body,
  updateProjectServer: ProjectServerUpdateRequest,
} as const;

export function checkedBody<Id extends keyof typeof shapes>(id: Id, body: unknown): BodyOf<Id> {
  const problem = jsonProblem(body);
  if (problem !== undefined) throw new Refused(invalid(problem.path, problem.message));
  return checkShape(shapes[id], body, 'body') as BodyOf<Id>;
}

export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof Refused ? error.refusal : undefined;
}
