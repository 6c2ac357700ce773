/**
 * The name of a case in a decision: its title if known. The case id follows if a person chose it or
 * another case has the same title. Generated ids mean nothing to people, so they are shown only if
 * needed.
 */
import { type CaseTitles, isDerivedCaseId, type Sentence, say, theirs } from '@proofmark/domain';

export function caseNamer(
  cases: readonly { readonly caseId: string }[],
  titles: CaseTitles | undefined,
): (caseId: string) => Sentence {
  // `hasOwn`, because callers choose the ids, and an id such as `constructor` is a property of
  // every object.
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
