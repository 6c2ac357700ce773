/**
 * The titles of a decision's cases, by the case ids in the decision. A case without a title is left
 * out. If the trials of a case were reported under several titles, the alphabetically first is
 * used, so that the order of reporting does not matter.
 */
import { decisionCaseId, isDerivedCaseId } from './case-identity.ts';

export type CaseTitles = Readonly<Record<string, string>>;

const maxCaseTitle = 200;

export interface TitledCase {
  readonly caseKey: string;
  readonly declaredId: string | null;
  readonly title?: string | null | undefined;
}

export function caseTitles(
  cases: Iterable<TitledCase>,
  sha256Hex: (text: string) => string,
): CaseTitles {
  const titles = new Map<string, string>();
  for (const one of cases) {
    const title = shortened(one.title?.trim() ?? '');
    if (title === '') continue;
    const caseId = decisionCaseId(one, sha256Hex);
    const known = titles.get(caseId);
    if (known === undefined || title < known) titles.set(caseId, title);
  }
  return Object.fromEntries([...titles].sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function caseNameInText(caseId: string, titles: CaseTitles): string {
  const title = Object.hasOwn(titles, caseId) ? titles[caseId] : undefined;
  const chosen = isDerivedCaseId(caseId) ? undefined : caseId;
  if (title === undefined || title === chosen) return chosen ?? 'without a title';
  return chosen === undefined ? `“${title}”` : `“${title}” (${chosen})`;
}

function shortened(title: string): string {
  const signs = [...title];
  return signs.length <= maxCaseTitle ? title : `${signs.slice(0, maxCaseTitle - 1).join('')}…`;
}
