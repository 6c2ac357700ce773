/**
 * A criterion of a journey: an assertion about the whole conversation of every session. Edits keep
 * the id of a criterion; a criterion that is submitted without an id is new.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';

export const mostCriteria = 25;

export interface JourneyCriterion {
  readonly id: string;
  readonly label: string | null;
  readonly predicate: Assertion;
  /** Copies of the role and the severity in the predicate, so that readers need not derive them. */
  readonly role: 'gating' | 'advisory';
  readonly severity: 'warn' | null;
}

export interface StatedCriterion {
  readonly id?: string | undefined;
  readonly label?: string | null | undefined;
  readonly predicate: Assertion;
}

/**
 * Returns the criteria to store. If two submitted criteria have the same id, returns the index of
 * the second one.
 */
export function criteriaOf(
  stated: readonly StatedCriterion[],
  newId: () => string,
): { readonly criteria: JourneyCriterion[] } | { readonly sharedIdAt: number } {
  const sharedIdAt = stated.findIndex(
    ({ id }, index) => id !== undefined && stated.findIndex((one) => one.id === id) < index,
  );
  if (sharedIdAt >= 0) return { sharedIdAt };
  return {
    criteria: stated.map(({ id, label, predicate }) => ({
      id: id ?? newId(),
      label: label ?? null,
      predicate,
      role: isAdvisory(predicate) ? 'advisory' : 'gating',
      severity: predicate.severity ?? null,
    })),
  };
}
