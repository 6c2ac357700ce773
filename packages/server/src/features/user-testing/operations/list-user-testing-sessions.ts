import type { UserTestingSession } from '@proofmark/contract';
import { segmentOf, visitorNameOf } from '@proofmark/domain';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { presentChain } from '../../sessions/index.ts';
import { listVisits, type StoredVisit } from '../store/read-visits.ts';
import { findScenarioToRead } from './find-scenario-to-read.ts';

export const listUserTestingSessions: Action<'listUserTestingSessions'> = (
  context,
  { params, page },
) =>
  context.tenant(async (sql) => {
    const { id } = await findScenarioToRead(sql, context, params.scenarioId);
    return presentPage(await listVisits(sql, id, page), presentVisit);
  });

function presentVisit(visit: StoredVisit): UserTestingSession {
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
