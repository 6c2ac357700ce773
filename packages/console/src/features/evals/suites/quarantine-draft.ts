import { quarantineProblem } from '@proofmark/domain';

export interface QuarantineDraft {
  readonly caseId: string;
  /** Empty if the entry applies to every model. */
  readonly model: string;
  readonly owner: string;
  readonly reason: string;
  readonly days: string;
}

export const quarantineDays = ['1', '3', '7', '14', '30'] as const;
const dayMs = 24 * 60 * 60 * 1000;
/**
 * The entry ends this much earlier than typed. If the service's clock is behind the browser's, an
 * entry of 30 days would otherwise exceed the service's maximum.
 */
const clockSlackMs = 60_000;

export function quarantineBody(draft: QuarantineDraft, nowMs: number) {
  const { caseId, days } = draft;
  const model = draft.model.trim();
  return {
    caseId,
    ...(model !== '' && { model }),
    owner: draft.owner.trim(),
    reason: draft.reason.trim(),
    expiresAt: nowMs + Number(days) * dayMs - clockSlackMs,
  };
}

/** Returns the first problem with the name of its field. Undefined if the entry can be sent. */
export function quarantineDraftProblem(
  draft: QuarantineDraft,
  nowMs: number,
): { readonly field: string; readonly message: string } | undefined {
  const problem = quarantineProblem(quarantineBody(draft, nowMs), nowMs);
  return problem && { field: String(problem.path[0]), message: problem.message };
}
