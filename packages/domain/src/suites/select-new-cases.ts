/**
 * Chooses which cases of a batch are added. A case whose id is already used, by the suite or
 * earlier in the batch, is never added. For a case whose content already exists, the duplicate
 * policy decides: it is left out, added with a warning, or added if a reason is stated.
 */
import type { EvalCaseDefinition } from './eval-case.ts';

export type DuplicatePolicy = 'block' | 'warn' | 'create_anyway';

export interface CaseCandidate {
  readonly index: number;
  readonly definition: EvalCaseDefinition;
  readonly contentHash: string;
}

export interface AdmittedCase extends CaseCandidate {
  readonly isDuplicate: boolean;
}

export interface RefusedCase {
  readonly index: number;
  readonly title?: string | undefined;
  readonly declaredId?: string | undefined;
  readonly code: 'DUPLICATE_CASE_ID' | 'DUPLICATE_CONTENT' | 'OVERRIDE_REASON_REQUIRED';
  readonly message: string;
}

export function selectNewCases(
  candidates: readonly CaseCandidate[],
  taken: {
    readonly declaredIds: ReadonlySet<string>;
    readonly contentHashes: ReadonlySet<string>;
  },
  { policy, overrideReason }: { policy: DuplicatePolicy; overrideReason?: string | undefined },
): { readonly admitted: AdmittedCase[]; readonly refused: RefusedCase[] } {
  const ids = new Set(taken.declaredIds);
  const contents = new Set(taken.contentHashes);
  const admitted: AdmittedCase[] = [];
  const refused: RefusedCase[] = [];
  for (const candidate of candidates) {
    const { index, definition, contentHash } = candidate;
    const { title, declaredId } = definition;
    const isDuplicate = contents.has(contentHash);
    const problem =
      declaredId !== undefined && ids.has(declaredId)
        ? idTaken
        : isDuplicate
          ? duplicateProblem(policy, overrideReason)
          : undefined;
    if (problem !== undefined) {
      refused.push({ index, title, declaredId, ...problem });
      continue;
    }
    if (declaredId !== undefined) ids.add(declaredId);
    contents.add(contentHash);
    admitted.push({ ...candidate, isDuplicate });
  }
  return { admitted, refused };
}

type Problem = Pick<RefusedCase, 'code' | 'message'>;

const idTaken: Problem = {
  code: 'DUPLICATE_CASE_ID',
  message: 'Another case of this suite has this id; choose another id.',
};

function duplicateProblem(
  policy: DuplicatePolicy,
  overrideReason: string | undefined,
): Problem | undefined {
  if (policy === 'block') {
    const message = 'The suite has a case with the same title, steps and configuration.';
    return { code: 'DUPLICATE_CONTENT', message };
  }
  if (policy === 'create_anyway' && overrideReason === undefined) {
    const message =
      'A similar case exists already; to add another, give the reason in overrideReason.';
    return { code: 'OVERRIDE_REASON_REQUIRED', message };
  }
  return undefined;
}
