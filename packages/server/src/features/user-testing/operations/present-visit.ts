import type { UserTestingSession } from '@proofmark/contract';
import { segmentOf, visitorNameOf } from '@proofmark/domain';
import { presentChain } from '../../sessions/index.ts';
import type { StoredVisit } from '../store/read-visits.ts';

export function presentVisit(visit: StoredVisit): UserTestingSession {
  const { id, modelId, deviceKind, language, outcome } = visit;
  const chain = presentChain(visit.chain);
  return {
    id,
    chatSessionId: id,
    messageCount: visit.messageCount,
    preview: visit.preview ?? '',
    ...(modelId !== null && { modelId }),
    toolCallCount: visit.toolCallCount,
    authInterrupted: visit.authInterrupted,
    visitor: {
      displayName: visitorNameOf({ name: visit.displayName, hash: visit.visitorHash }),
      segment: segmentOf(visit),
      authType: visit.authType,
      recency: visit.recency,
      ...(deviceKind !== null && { deviceKind }),
      ...(language !== null && { language }),
    },
    feedback: { ...visit.feedback },
    startedAt: visit.startedAt.getTime(),
    lastActivityAt: visit.lastActivityAt.getTime(),
    environmentId: visit.environmentId,
    toolErrorCount: visit.toolErrorCount,
    ...(outcome !== null && { outcome }),
    ...(chain !== null && { chain }),
  };
}
