import type { Refusal } from '../kernel/refusal.ts';

/** A kind of user: a name, a role, and further notes. */
export const personaSources = ['manual', 'generated', 'cluster'] as const;

export interface SavedPersona {
  readonly id: string;
  readonly projectId: string;
  /** Made from its first name; it stays after a renaming. */
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly notes: string | null;
  readonly source: (typeof personaSources)[number];
  /** For personas made from many conversations. */
  readonly seedKeywords: readonly string[] | null;
  readonly avatarShape: number | null;
  readonly avatarPalette: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The texts of a persona that simulated users and drafts get. */
export type PersonaWords = Pick<SavedPersona, 'name' | 'role' | 'notes'>;

/** Returns undefined if one more may be created. */
export function tooManyPersonas(live: number, allowed: number | null): Refusal | undefined {
  if (allowed === null || live < allowed) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `A project has at most ${allowed} personas here; archive one first.`,
    details: { limit: 'maxPersonasPerProject', allowedValue: allowed, currentValue: live },
  };
}
