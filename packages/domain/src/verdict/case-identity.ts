/**
 * The identity of a row in a decision: its case id and its variant. The case id is the declared id
 * if its characters are allowed, or else a digest of the case key. It is unique only within the
 * decision. A row without a variant does not mean all variants, so a case has rows either with or
 * without variants, not both.
 */
import { caseIdPattern, type ExecutionVariant, maxDistinctCases } from './decision.ts';

export function decisionCaseId(
  caseOfRun: { readonly declaredId?: string | null | undefined; readonly caseKey: string },
  sha256Hex: (text: string) => string,
): string {
  const { declaredId, caseKey } = caseOfRun;
  if (typeof declaredId === 'string' && caseIdPattern.test(declaredId)) return declaredId;
  return `k_${sha256Hex(caseKey).slice(0, 40).toLowerCase()}`;
}

/** Whether the id was generated here and so means nothing to people. */
export function isDerivedCaseId(caseId: string): boolean {
  return /^k_[0-9a-f]{40}$/.test(caseId);
}

export interface CaseIdentity {
  readonly caseId: string;
  readonly executionVariant?: ExecutionVariant | undefined;
}

export function caseVariantKey({ caseId, executionVariant }: CaseIdentity): string {
  if (executionVariant === undefined) return `${caseId}\0`;
  return `${caseId}\0${executionVariant.provider ?? ''}\0${executionVariant.model}`;
}

/**
 * Returns a problem if two rows have the same identity, if a case has rows with and without a
 * variant, or if there are too many cases.
 */
export function identityProblem(
  rows: readonly CaseIdentity[],
  nameOf: (caseId: string) => string = String,
): string | undefined {
  const keys = new Set<string>();
  const fansOut = new Map<string, boolean>();
  for (const row of rows) {
    const key = caseVariantKey(row);
    if (keys.has(key))
      return `The case ${nameOf(row.caseId)} is listed twice with the same execution variant.`;
    keys.add(key);
    const keyed = row.executionVariant !== undefined;
    if ((fansOut.get(row.caseId) ?? keyed) !== keyed) {
      return `Some trials of the case ${nameOf(row.caseId)} name an execution variant, and others do not.`;
    }
    fansOut.set(row.caseId, keyed);
  }
  if (fansOut.size > maxDistinctCases) {
    return `${tooManyCasesWords} and this run has ${fansOut.size}.`;
  }
  return undefined;
}

const tooManyCasesWords = `A decision holds at most ${maxDistinctCases} cases`;

/**
 * Whether a decision is missing because the run has too many cases. A rerun does not change that.
 */
export function saysTooManyCases(integrityError: string): boolean {
  return integrityError.startsWith(tooManyCasesWords);
}
