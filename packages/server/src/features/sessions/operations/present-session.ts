import type { OutputOf } from '@proofmark/contract';
import { readConversation, scheduledRunNote } from '@proofmark/domain';
import { trialPage } from '@proofmark/report';
import type { ListedTrial, TrialSession } from '../../evals/index.ts';
import type { StoredChatSession } from '../../playground/index.ts';
import type { ListedSwarmSession } from '../../swarms/index.ts';
import type { ListedVisit } from '../../user-testing/index.ts';
import { titleOfSwarmSession, titleOfVisit } from './find-sessions.ts';

type SessionSummary = OutputOf<'listSessions'>['items'][number];

export interface Viewer {
  readonly accountId: string;
  readonly projectId: string;
  /** The address at which the viewer's browser reaches the service. */
  readonly baseUrl: string;
}

export function presentChat(chat: StoredChatSession, viewer: Viewer): SessionSummary {
  const isOfPlayground = chat.targetKind !== null;
  const project = `/projects/${encodeURIComponent(chat.projectId)}`;
  return {
    id: chat.id,
    chatSessionId: chat.id,
    projectId: chat.projectId,
    sourceType: 'direct',
    origin: isOfPlayground ? 'ui' : null,
    status: chat.status,
    synthetic: false,
    lockReason: null,
    title: chat.title,
    visibility: chat.visibility,
    firstMessagePreview: chat.preview ?? '',
    ownedByViewer: chat.accountId === viewer.accountId,
    startedAt: chat.createdAt.getTime(),
    lastActivityAt: chat.lastActivityAt.getTime(),
    modelId: chat.modelId,
    messageCount: chat.messageCount,
    parentRef: null,
    ...(isOfPlayground && { cumulativeToolCallCount: chat.toolCallCount }),
    link: linkTo(isOfPlayground ? `${project}/playground/${chat.id}` : project, viewer),
  };
}

export function presentTrialSession(
  trial: ListedTrial,
  session: TrialSession,
  viewer: Viewer,
): SessionSummary {
  const { usage, source, notes, startedAt, durationMs } = session;
  const begunBy = session.isSample ? 'sample' : notes === scheduledRunNote ? 'schedule' : source;
  const conversation = readConversation(session.messages);
  const endedAtMs = trial.endedAt.getTime();
  const place = { baseUrl: '', projectId: viewer.projectId };
  return {
    id: trial.id,
    chatSessionId: trial.id,
    projectId: viewer.projectId,
    sourceType: 'eval',
    // A run that an SDK reported does not say where it was started, so its origin is unknown.
    origin: begunBy === 'sdk' ? null : begunBy,
    status: 'active',
    synthetic: true,
    lockReason: null,
    title: trial.title,
    visibility: 'project',
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

/** A session of a journey is never archived, and is visible to everybody who sees the project. */
export function presentSwarmSession(session: ListedSwarmSession, viewer: Viewer): SessionSummary {
  const { id, chatSessionId, usage, runId, journeyId } = session;
  const { projectId } = viewer;
  return {
    id,
    chatSessionId,
    projectId,
    sourceType: 'swarm',
    origin: session.isSample ? 'sample' : session.source,
    status: 'active',
    synthetic: true,
    lockReason: null,
    visibility: 'project',
    title: titleOfSwarmSession(session),
    firstMessagePreview: session.preview ?? '',
    ownedByViewer: session.requestedBy === viewer.accountId,
    startedAt: session.startedAt.getTime(),
    lastActivityAt: session.lastActivityAt.getTime(),
    modelId: session.modelId,
    messageCount: session.messageCount,
    cumulativeUserMessageCount: session.turnCount,
    cumulativeToolCallCount: session.toolCallCount,
    ...countAt(usage?.inputTokens, 'cumulativeInputTokens'),
    ...countAt(usage?.outputTokens, 'cumulativeOutputTokens'),
    parentRef: {
      kind: 'journeyRun',
      label: session.journeyName,
      journeyRunId: runId,
      journeyRefId: journeyId,
    },
    link: linkTo(`/projects/${encodeURIComponent(projectId)}/journey-runs/${runId}`, viewer),
  };
}

export function presentListedVisit(visit: ListedVisit, viewer: Viewer): SessionSummary {
  const { id, usage, scenarioId } = visit;
  const { projectId } = viewer;
  const scenario = `/projects/${encodeURIComponent(projectId)}/user-testing/${scenarioId}`;
  return {
    id,
    chatSessionId: id,
    projectId,
    sourceType: 'scenario',
    origin: 'visit',
    status: 'active',
    synthetic: false,
    lockReason: null,
    visibility: 'project',
    title: titleOfVisit(visit),
    firstMessagePreview: visit.preview ?? '',
    ownedByViewer: false,
    startedAt: visit.startedAt.getTime(),
    lastActivityAt: visit.lastActivityAt.getTime(),
    modelId: visit.modelId,
    messageCount: visit.messageCount,
    cumulativeUserMessageCount: visit.turnCount,
    cumulativeToolCallCount: visit.toolCallCount,
    ...countAt(usage?.['inputTokens'], 'cumulativeInputTokens'),
    ...countAt(usage?.['outputTokens'], 'cumulativeOutputTokens'),
    parentRef: { kind: 'scenario', label: visit.scenarioName, scenarioId },
    link: linkTo(`${scenario}/sessions/${id}`, viewer),
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
