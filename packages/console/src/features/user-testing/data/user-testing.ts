import { ApiError } from '@proofmark/client';
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import type { Population } from '@proofmark/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import {
  operationQuery,
  useChange,
  useOperation,
  usePages,
  useSeveral,
} from '../../../kit/data/operations.ts';

export interface ScenarioIds {
  readonly projectId: string;
  readonly scenarioId: string;
}

export interface VisitIds extends ScenarioIds {
  readonly sessionId: string;
}

export type VisitorSession = OutputOf<'listUserTestingSessions'>['items'][number];
export type ScenarioFinding = OutputOf<'listUserTestingFindings'>['items'][number];

/** Polling interval in milliseconds. It is short, because sessions in progress are shown live. */
const lookAgainMs = 3000;

export function usePublish(projectId: string) {
  return useChange('publishScenario', (input: PublishInput) => ({ projectId, ...input }), {
    readAgain: [allBelow('listScenarios', { projectId })],
  });
}

export interface PublishInput {
  readonly environmentId: string;
  readonly body: BodyInputOf<'publishScenario'>;
}

export function useUnpublish(projectId: string, environmentId: string, leave: () => Promise<void>) {
  return useChange(
    'unpublishScenario',
    { projectId, environmentId },
    { leave, readAgain: [keyOf('listScenarios', { projectId })] },
  );
}

export function linkOf(ids: ScenarioIds) {
  return {
    readAgain: [
      allBelow('listScenarios', { projectId: ids.projectId }),
      allBelow('getUserTestingScenario', ids),
    ],
  };
}

export function useVisitorSessions(ids: ScenarioIds) {
  return usePages('listUserTestingSessions', ids, { refetchInterval: lookAgainMs });
}

export interface Transcript extends Omit<OutputOf<'getUserTestingSession'>, 'nextCursor'> {}

/** Polled while the session may continue. */
export function useTranscript(ids: VisitIds, isLive: boolean) {
  return useQuery({
    queryKey: keyOf('getUserTestingSession', ids),
    queryFn: async ({ signal }): Promise<Transcript> => {
      let page = await client.getUserTestingSession({ ...ids, limit: '200' }, { signal });
      const messages = [...page.messages];
      while (page.nextCursor !== undefined) {
        const at = { limit: '200', cursor: page.nextCursor };
        page = await client.getUserTestingSession({ ...ids, ...at }, { signal });
        messages.push(...page.messages);
      }
      return { ...page, messages };
    },
    refetchInterval: isLive ? lookAgainMs : false,
  });
}

export function useScenarioFindings(ids: ScenarioIds) {
  return useOperation('listUserTestingFindings', ids, { refetchInterval: 5 * lookAgainMs });
}

export function useDismissScenarioFinding(ids: ScenarioIds, findingId: string) {
  return useSeveral(
    (dismiss: boolean) =>
      dismiss
        ? client.dismissUserTestingFinding({ ...ids, findingId })
        : client.undismissUserTestingFinding({ ...ids, findingId }),
    [keyOf('listUserTestingFindings', ids)],
  );
}

/** Null if there are no sessions to count yet. */
export function useScenarioNumbers(ids: ScenarioIds, population: Population | undefined) {
  const filter = population === undefined ? {} : { population };
  return useQuery({
    queryKey: [...keyOf('getUserTestingMetrics', { ...ids, ...filter }), 'with its usage'],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [metrics, usage] = await Promise.all([
        orNone(client.getUserTestingMetrics({ ...ids, ...filter }, { signal })),
        orNone(client.getUserTestingUsage({ ...ids }, { signal })),
      ]);
      return { metrics, usage };
    },
  });
}

/** Null if no weekly window of ended sessions exists yet. */
export function useScenarioSignals(ids: ScenarioIds) {
  return useQuery({
    queryKey: [...keyOf('getUserTestingSignals', ids), 'or none'],
    queryFn: ({ signal }) => orNone(client.getUserTestingSignals({ ...ids }, { signal })),
    refetchInterval: 5 * lookAgainMs,
  });
}

export function useScenarioInsights(ids: ScenarioIds) {
  return useQuery({
    ...operationQuery('getUserTestingScenario', ids),
    select: ({ insights }) => insights ?? null,
    refetchInterval: ({ state }) =>
      state.data?.insights?.status === 'pending' ? 1000 : 5 * lookAgainMs,
  });
}

export function useExplainWindow(ids: ScenarioIds) {
  return useChange('requestUserTestingInsights', ids, {
    readAgain: [
      keyOf('getUserTestingScenario', ids),
      keyOf('getProjectCapabilities', { projectId: ids.projectId }),
    ],
  });
}

export function useCancelWindowInsights(ids: ScenarioIds) {
  return useChange(
    'cancelUserTestingInsights',
    (windowId: string) => ({ ...ids, body: { windowId } }),
    { readAgain: [keyOf('getUserTestingScenario', ids)] },
  );
}

async function orNone<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    const isNone = error instanceof ApiError && error.details['reason'] !== undefined;
    if (isNone && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
