/** Null, and an empty list of models, count as absent. */
import type { BodyOf } from '@proofmark/contract';
import { type CaseEdit, type EvalCaseDefinition, editCase } from '@proofmark/domain';

export function caseFromRequest(body: BodyOf<'createEvalCase'>): EvalCaseDefinition {
  const { id, title, steps, ...rest } = body;
  const first = { title, steps, ...(id !== undefined && { declaredId: id }) };
  return editCase(first, editFromRequest(rest));
}

export function editFromRequest(body: CaseEdit): CaseEdit {
  return body.models?.length === 0 ? { ...body, models: null } : body;
}
