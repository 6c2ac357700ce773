import { assertionWords } from '../words/assertion-words.ts';
import type { CriterionCounts } from './scorecard.ts';

export function criterionName({ label, kind }: Pick<CriterionCounts, 'label' | 'kind'>): string {
  const words: Readonly<Record<string, string>> = assertionWords;
  return label ?? (Object.hasOwn(words, kind) ? words[kind] : undefined) ?? kind;
}
