import type { OutputOf } from '@proofmark/contract';
import { allowedInDrafts, type DraftedJourney, type PersonaWithJourneys } from '@proofmark/domain';

type Shown = OutputOf<'generatePersonas'>;

export function presentDrafts({
  persona,
  journeys,
}: PersonaWithJourneys): NonNullable<Shown['personas']>[number] {
  return { persona: { ...persona }, journeys: journeys.map(presentJourneyDraft) };
}

export function presentJourneyDraft(draft: DraftedJourney): NonNullable<Shown['journeys']>[number] {
  const { suggestedChecks } = draft;
  return { ...draft, suggestedChecks: [...suggestedChecks], allowWrites: [...allowedInDrafts] };
}
