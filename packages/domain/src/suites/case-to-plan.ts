import type { EvalCaseDefinition } from './eval-case.ts';

export interface CaseToPlan {
  readonly id: string;
  readonly caseKey: string;
  readonly declaredId: string | null;
  readonly definition: EvalCaseDefinition;
  readonly rowOf?: { readonly id: string; readonly declaredId: string | null };
}
