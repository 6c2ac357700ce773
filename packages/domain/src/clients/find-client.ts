/**
 * Finds a client by its id or its name. Ids are searched first, so that nobody can redirect
 * references to a client by giving its id as a name to another. If several clients have the name,
 * none is chosen.
 */
import { notFound, type Refusal } from '../kernel/refusal.ts';

export function chooseClient<Candidate extends { readonly id: string; readonly name: string }>(
  reference: string,
  candidates: readonly Candidate[],
): { readonly client: Candidate } | { readonly refusal: Refusal } {
  const byId = candidates.find(({ id }) => id === reference);
  if (byId !== undefined) return { client: byId };
  const name = comparableClientName(reference);
  const byName = candidates.filter((candidate) => comparableClientName(candidate.name) === name);
  const [only, ...others] = byName;
  if (only === undefined || name === '') return { refusal: notFound };
  if (others.length === 0) return { client: only };
  return {
    refusal: {
      code: 'CONFLICT',
      message: 'Several clients have this name; use the id of one of them.',
      details: { candidateIds: byName.map(({ id }) => id).sort() },
    },
  };
}

export function comparableClientName(name: string): string {
  return name.trim().toLowerCase();
}
