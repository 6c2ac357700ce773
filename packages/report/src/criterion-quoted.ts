import { type CriterionCounts, criterionName } from '@proofmark/domain';

/** Quotes a criterion for use in a sentence, since its label may be a sentence itself. */
export function criterionQuoted(criterion: Pick<CriterionCounts, 'label' | 'kind'>): string {
  return `“${criterionName(criterion)}”`;
}
