import { type CriterionCounts, criterionName } from '@proofmark/domain';

/** A label may be a whole sentence, so it needs quotation marks inside a sentence. */
export function criterionQuoted(criterion: Pick<CriterionCounts, 'label' | 'kind'>): string {
  return `“${criterionName(criterion)}”`;
}
