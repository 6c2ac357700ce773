/**
 * A client is named by its id or by its name. An id is looked for first, so that nobody takes over a reference by
 * giving a client the id of another as its name. Names need not be unique; one that fits several picks none of them.
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

/** What a name is looked for by. */
export function comparableClientName(name: string): string {
  return name.trim().toLowerCase();
}
