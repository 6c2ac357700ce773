import type { OutputOf } from '@proofmark/contract';
import type { DraftedJourney, PersonaWithJourneys } from '@proofmark/domain';

type Shown = OutputOf<'generatePersonas'>;

export function presentDrafts({
  persona,
  journeys,
}: PersonaWithJourneys): NonNullable<Shown['personas']>[number] {
  return { persona: { ...persona }, journeys: journeys.map(presentJourneyDraft) };
}

export function presentJourneyDraft(draft: DraftedJourney): NonNullable<Shown['journeys']>[number] {
  return { ...draft, suggestedChecks: [...draft.suggestedChecks] };
}
