/**
 * Chooses the cases of a run, in the order of the suite: the named ones (default: all). A case is
 * named by its id or its declared id. Naming a case with data chooses all its rows. A disabled case
 * never runs, even if named.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import type { CaseToPlan } from './case-to-plan.ts';

export function chooseCases(
  all: readonly CaseToPlan[],
  caseIds: readonly string[] | undefined,
): { readonly cases: readonly CaseToPlan[] } | { readonly refusal: Refusal } {
  let cases = all;
  if (caseIds !== undefined) {
    const wanted = new Set<CaseToPlan>();
    for (const id of caseIds) {
      const found = casesNamed(all, id);
      if (found.length === 0) {
        const message = `The suite has no case ${JSON.stringify(id.slice(0, 128))}; name cases of this suite.`;
        return { refusal: invalid('body.caseIds', message, { reason: 'CASE_NOT_FOUND' }) };
      }
      for (const one of found) wanted.add(one);
    }
    cases = all.filter((one) => wanted.has(one));
  }
  const enabled = cases.filter(({ definition }) => definition.disabled !== true);
  if (enabled.length > 0) return { cases: enabled };
  const message =
    all.length === 0
      ? 'The suite has no cases to run; add one first.'
      : 'Every chosen case is disabled; enable one, or choose others.';
  return { refusal: invalid('body.caseIds', message, { reason: 'NO_CASES' }) };
}

function casesNamed(all: readonly CaseToPlan[], id: string): readonly CaseToPlan[] {
  const found = all.find((one) => one.id === id) ?? all.find((one) => one.declaredId === id);
  if (found !== undefined) return [found];
  return all.filter(({ rowOf }) => rowOf?.id === id || rowOf?.declaredId === id);
}
