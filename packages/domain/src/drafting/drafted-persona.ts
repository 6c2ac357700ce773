export interface DraftedPersona {
  readonly name: string;
  readonly role: string;
  readonly notes?: string;
}

export interface DraftedJourney {
  readonly goal: string;
  readonly name?: string;
  readonly suggestedChecks: readonly {
    readonly type: 'toolCalledAtLeastOnce';
    readonly toolName: string;
  }[];
}

/**
 * The tools held for writing (they may change data) that a drafted journey may call: none, until
 * the journey's author allows some by name.
 */
export const allowedInDrafts: readonly string[] = [];

export interface PersonaWithJourneys {
  readonly persona: DraftedPersona;
  readonly journeys: readonly DraftedJourney[];
}

export interface PersonaOptions {
  readonly personaCount: number;
  readonly journeyCount: number;
  readonly description?: string | undefined;
  readonly existingPersonas?: readonly Pick<DraftedPersona, 'name' | 'role'>[] | undefined;
}

export interface JourneyOptions {
  readonly persona: DraftedPersona;
  readonly journeyCount: number;
  readonly description?: string | undefined;
}

export const draftBounds = {
  name: 120,
  role: 120,
  notes: 2_000,
  goal: 4_000,
  title: 200,
  checks: 2,
};

export function checksOfTools(names: readonly string[]): DraftedJourney['suggestedChecks'] {
  return [...new Set(names)]
    .slice(0, draftBounds.checks)
    .map((toolName) => ({ type: 'toolCalledAtLeastOnce', toolName }));
}
