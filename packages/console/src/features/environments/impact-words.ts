import type { ClientDetail } from '@proofmark/contract';

export function impactWords(impact: ClientDetail['impact'], start: string): string {
  const parts = [
    counted(impact.liveEnvironmentCount, 'live environment'),
    counted(impact.scenarioAttachmentCount, 'scenario'),
    counted(impact.activeLegacyJourneyCount, 'running journey'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'No environment uses this client.' : `${start} ${parts.join(', ')}.`;
}

function counted(count: number, what: string): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
