import type { Refusal } from '../kernel/refusal.ts';

/** A kind of user: who they are, and what else is known of them. */
export const personaSources = ['manual', 'generated', 'cluster'] as const;

export interface SavedPersona {
  readonly id: string;
  readonly projectId: string;
  /** From its first name; stays when it is renamed. */
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly notes: string | null;
  readonly source: (typeof personaSources)[number];
  /** Of those that were made from many conversations. */
  readonly seedKeywords: readonly string[] | null;
  readonly avatarShape: number | null;
  readonly avatarPalette: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a simulated user and a draft know of a persona. */
export type PersonaWords = Pick<SavedPersona, 'name' | 'role' | 'notes'>;

/** Nothing where one more may be made. */
export function tooManyPersonas(live: number, allowed: number | null): Refusal | undefined {
  if (allowed === null || live < allowed) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `A project has at most ${allowed} personas here; archive one first.`,
    details: { limit: 'maxPersonasPerProject', allowedValue: allowed, currentValue: live },
  };
}
