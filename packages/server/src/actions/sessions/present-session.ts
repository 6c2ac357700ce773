import type { OutputOf } from '@proofmark/contract';
import { readConversation, trialPage } from '@proofmark/domain';
import type { StoredChatSession } from '../../storage/accounts/chat-sessions.ts';
import type { ListedTrial, TrialSession } from '../../storage/eval-runs/trial-sessions.ts';
import type { ListedSwarmSession } from '../../storage/swarms/listed-swarm-sessions.ts';
import { titleOfSwarmSession } from './find-sessions.ts';

type SessionSummary = OutputOf<'listSessions'>['items'][number];

export interface Viewer {
  readonly accountId: string;
  readonly projectId: string;
  /** Where they reach the service. */
  readonly baseUrl: string;
}

export function presentChat(chat: StoredChatSession, viewer: Viewer): SessionSummary {
  return {
    ...{ id: chat.id, chatSessionId: chat.id, projectId: chat.projectId, sourceType: 'direct' },
    ...{ origin: null, status: chat.status, synthetic: false, lockReason: null },
    ...{ title: chat.title, firstMessagePreview: '', visibility: chat.visibility },
    ownedByViewer: chat.accountId === viewer.accountId,
    startedAt: chat.createdAt.getTime(),
    lastActivityAt: chat.lastActivityAt.getTime(),
    ...{ modelId: null, messageCount: 0, parentRef: null },
    link: linkTo(`/projects/${encodeURIComponent(chat.projectId)}`, viewer),
  };
}

export function presentTrialSession(
  trial: ListedTrial,
  session: TrialSession,
  viewer: Viewer,
): SessionSummary {
  const { usage, source, startedAt, durationMs } = session;
  const conversation = readConversation(session.messages);
  const endedAtMs = trial.endedAt.getTime();
  const place = { baseUrl: '', projectId: viewer.projectId };
  return {
    ...{ id: trial.id, chatSessionId: trial.id, projectId: viewer.projectId, sourceType: 'eval' },
    // What was reported began elsewhere, in a way that nobody told.
    ...{ origin: source === 'sdk' ? null : source, status: 'active', synthetic: true },
    ...{ lockReason: null, title: trial.title, visibility: 'project' },
    firstMessagePreview: conversation.firstMessagePreview,
    ownedByViewer: session.createdBy === viewer.accountId,
    startedAt: startedAt?.getTime() ?? endedAtMs - Math.round(durationMs ?? 0),
    lastActivityAt: endedAtMs,
    modelId: session.model,
    messageCount: conversation.messageCount,
    cumulativeUserMessageCount: conversation.userMessageCount,
    cumulativeToolCallCount: session.toolCallCount,
    ...countAt(usage?.['inputTokens'], 'cumulativeInputTokens'),
    ...countAt(usage?.['outputTokens'], 'cumulativeOutputTokens'),
    parentRef: {
      kind: 'evalRun',
      label: `${session.suiteName} #${session.runNumber}`,
      iterationId: trial.id,
      suiteRunId: trial.runId,
      suiteId: session.suiteId,
    },
    link: linkTo(trialPage(place, trial.runId, trial.id), viewer),
  };
}

/** It is never archived, and seen by whoever sees the project. */
export function presentSwarmSession(session: ListedSwarmSession, viewer: Viewer): SessionSummary {
  const { id, chatSessionId, usage, runId, journeyId } = session;
  const { projectId } = viewer;
  return {
    ...{ id, chatSessionId, projectId, sourceType: 'swarm', origin: session.source },
    ...{ status: 'active', synthetic: true, lockReason: null, visibility: 'project' },
    title: titleOfSwarmSession(session),
    firstMessagePreview: session.preview ?? '',
    ownedByViewer: session.requestedBy === viewer.accountId,
    startedAt: session.startedAt.getTime(),
    lastActivityAt: session.lastActivityAt.getTime(),
    ...{ modelId: session.modelId, messageCount: session.messageCount },
    cumulativeUserMessageCount: session.turnCount,
    cumulativeToolCallCount: session.toolCallCount,
    ...countAt(usage?.inputTokens, 'cumulativeInputTokens'),
    ...countAt(usage?.outputTokens, 'cumulativeOutputTokens'),
    parentRef: {
      ...{ kind: 'journeyRun', label: session.journeyName, journeyRunId: runId },
      journeyRefId: journeyId,
    },
    link: linkTo(`/projects/${encodeURIComponent(projectId)}/journey-runs/${runId}`, viewer),
  };
}

function linkTo(path: string, { baseUrl }: Viewer): SessionSummary['link'] {
  return { path, url: `${baseUrl}${path}` };
}

function countAt(
  value: unknown,
  name: 'cumulativeInputTokens' | 'cumulativeOutputTokens',
): Partial<SessionSummary> {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? { [name]: value as number } : {};
}
