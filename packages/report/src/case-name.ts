/**
 * The name of a case in a decision: its title if known. The case id is appended if a person chose
 * the id or another case has the same title. Generated ids are hidden where possible, because they
 * mean nothing to people.
 */
import { type CaseTitles, isDerivedCaseId, type Sentence, say, theirs } from '@proofmark/domain';

export function caseNamer(
  cases: readonly { readonly caseId: string }[],
  titles: CaseTitles | undefined,
): (caseId: string) => Sentence {
  // Callers choose the ids, and an id such as `constructor` is an inherited property of every
  // object.
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
    const isIdShown = !isDerivedCaseId(caseId) || (bearers.get(title)?.size ?? 0) > 1;
    return isIdShown ? say`${theirs(title)} (${theirs(caseId)})` : say`${theirs(title)}`;
  };
}
