/**
 * What a journey asks of every session: an assertion about the whole conversation. Its id is its identity over time, so
 * whoever edits the row keeps it; a row that comes without one is new.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';

export const mostCriteria = 25;

export interface JourneyCriterion {
  readonly id: string;
  readonly label: string | null;
  readonly predicate: Assertion;
  /** As its predicate says them, so that nobody has to read them there. */
  readonly role: 'gating' | 'advisory';
  readonly severity: 'warn' | null;
}

export interface StatedCriterion {
  readonly id?: string | undefined;
  readonly label?: string | null | undefined;
  readonly predicate: Assertion;
}

/** As they are stored. Of two rows with one id nothing is stored. */
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
