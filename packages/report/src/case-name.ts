/**
 * What a row of a decision is called. With a title: the title, and after it the id where somebody chose that id or
 * where another case has the same title. An id that only we made says nothing to people and stands alone only where no
 * title is known.
 */
import { type CaseTitles, isDerivedCaseId, type Sentence, say, theirs } from '@proofmark/domain';

export function caseNamer(
  cases: readonly { readonly caseId: string }[],
  titles: CaseTitles | undefined,
): (caseId: string) => Sentence {
  // Ids are chosen by others, and some of them are names of what every object has.
  const titleOf = (caseId: string) =>
    titles !== undefined && Object.hasOwn(titles, caseId) ? titles[caseId] : undefined;
  const bearers = new Map<string, Set<string>>();
  for (const { caseId } of cases) {
    const title = titleOf(caseId);
    if (title !== undefined) bearers.set(title, (bearers.get(title) ?? new Set()).add(caseId));
  }
  return (caseId) => {
    const title = titleOf(caseId);
    if (title === undefined || title === caseId) return say`${theirs(caseId)}`;
    const isTold = !isDerivedCaseId(caseId) || (bearers.get(title)?.size ?? 0) > 1;
    return isTold ? say`${theirs(title)} (${theirs(caseId)})` : say`${theirs(title)}`;
  };
}
