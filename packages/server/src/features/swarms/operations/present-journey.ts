import type { Journey } from '@proofmark/contract';
import type { SavedJourney } from '@proofmark/domain';

export function presentJourney(journey: SavedJourney): Journey {
  const { serverAttachmentId, allowWrites, ...shown } = journey;
  return {
    ...shown,
    environmentIds: [...journey.environmentIds],
    hostIds: [...journey.hostIds],
    ...(serverAttachmentId === null ? {} : { serverAttachmentId }),
    ...(allowWrites !== null && { allowWrites: [...allowWrites] }),
    rubric: journey.rubric.map(({ id, label, predicate }) => ({ id, label, predicate })),
    createdAt: journey.createdAt.getTime(),
    updatedAt: journey.updatedAt.getTime(),
  };
}
