/**
 * The name of a row of a decision: the title if known, followed by the id if a person chose it or
 * another case has the same title. A generated id means nothing to people and is shown only without
 * a title.
 */
import { type CaseTitles, isDerivedCaseId, type Sentence, say, theirs } from '@proofmark/domain';

export function caseNamer(
  cases: readonly { readonly caseId: string }[],
  titles: CaseTitles | undefined,
): (caseId: string) => Sentence {
  // Others choose the ids, and some are names that every object has.
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
