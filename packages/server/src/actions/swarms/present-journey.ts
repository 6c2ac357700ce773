import type { Journey } from '@proofmark/contract';
import type { SavedJourney } from '@proofmark/domain';

export function presentJourney(journey: SavedJourney): Journey {
  const { serverAttachmentId, ...shown } = journey;
  return {
    ...shown,
    environmentIds: [...journey.environmentIds],
    hostIds: [...journey.hostIds],
    ...(serverAttachmentId === null ? {} : { serverAttachmentId }),
    rubric: journey.rubric.map(({ id, label, predicate }) => ({ id, label, predicate })),
    createdAt: journey.createdAt.getTime(),
    updatedAt: journey.updatedAt.getTime(),
  };
}
