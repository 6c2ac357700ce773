import type { Refusal } from '../kernel/refusal.ts';

export const personaSources = ['manual', 'generated', 'cluster'] as const;

export interface SavedPersona {
  readonly id: string;
  readonly projectId: string;
  /**
   * An id in words, made from the persona's first name. It does not change when the persona is
   * renamed.
   */
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly notes: string | null;
  readonly source: (typeof personaSources)[number];
  /** Keywords of a persona that was derived from many conversations; null for other personas. */
  readonly seedKeywords: readonly string[] | null;
  readonly avatarShape: number | null;
  readonly avatarPalette: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type PersonaWords = Pick<SavedPersona, 'name' | 'role' | 'notes'>;

/** Returns undefined if one more persona may be created. */
export function tooManyPersonas(live: number, allowed: number | null): Refusal | undefined {
  if (allowed === null || live < allowed) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `A project has at most ${allowed} personas here; archive one first.`,
    details: { limit: 'maxPersonasPerProject', allowedValue: allowed, currentValue: live },
  };
}
