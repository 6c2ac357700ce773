import {
  countConversationMessages,
  invalid,
  notFound,
  pageLimit,
  pageOfTranscript,
} from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { findVisit, readTranscript } from '../store/read-visits.ts';
import { findScenarioToRead } from './find-scenario-to-read.ts';

export const getUserTestingSession: Action<'getUserTestingSession'> = async (
  context,
  { params, query },
) => {
  const size = pageLimit(query.limit, 50);
  if ('problem' in size) return refuse(invalid('query.limit', size.problem));
  return context.tenant(async (sql) => {
    const { id: scenarioId } = await findScenarioToRead(sql, context, params.scenarioId);
    const visit = await findVisit(sql, scenarioId, params.sessionId);
    if (visit === undefined) return refuse(notFound);
    const { id, modelId } = visit;
    const visitSummary = {
      id,
      scenarioId,
      chatSessionId: id,
      modelId,
      startedAt: visit.startedAt.getTime(),
      lastActivityAt: visit.lastActivityAt.getTime(),
    };
    const transcript = await readTranscript(sql, id);
    if (transcript === undefined) {
      return {
        ...visitSummary,
        messageCount: null,
        transcriptUnavailable: true,
        messages: [],
      } as const;
    }
    const offset = Number(query.cursor ?? 0);
    const { messages, nextOffset } = pageOfTranscript(transcript, { offset, limit: size.limit });
    return {
      ...visitSummary,
      messageCount: countConversationMessages(transcript),
      messages: [...messages],
      ...(nextOffset !== undefined && { nextCursor: String(nextOffset) }),
    };
  });
};
