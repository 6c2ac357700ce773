/** Published links: the list, one of them, who visited it and what was found. */
import { ApiError, readAllPages } from '@proofmark/client';
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import type { Population } from '@proofmark/domain';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { capabilitiesKey } from '../../../kit/data/capabilities.ts';
import { client } from '../../../kit/data/client.ts';
import { itemsRead, pagedQuery } from '../../../kit/data/paged-query.ts';

export interface ScenarioIds {
  readonly projectId: string;
  readonly scenarioId: string;
}

export interface VisitIds extends ScenarioIds {
  readonly sessionId: string;
}

export type VisitorSession = OutputOf<'listUserTestingSessions'>['items'][number];
export type ScenarioFinding = OutputOf<'listUserTestingFindings'>['items'][number];

/** Sessions are shown as they happen. */
const lookAgainMs = 3000;

export function useScenarios(projectId: string) {
  return useQuery({
    queryKey: ['scenarios', projectId, 'list'],
    queryFn: ({ signal }) =>
      readAllPages((page) => client.listScenarios({ projectId, ...page }, { signal })),
  });
}

export function useScenario(ids: ScenarioIds) {
  return useQuery({
    queryKey: scenarioKey(ids),
    queryFn: ({ signal }) => client.getScenario({ ...ids }, { signal }),
    refetchOnWindowFocus: false,
  });
}

export function usePublish(projectId: string) {
  return useChange(['scenarios', projectId], (input: PublishInput) =>
    client.publishScenario({ projectId, ...input }),
  );
}

export interface PublishInput {
  readonly environmentId: string;
  readonly body: BodyInputOf<'publishScenario'>;
}

export function useUnpublish(projectId: string, environmentId: string, leave: () => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.unpublishScenario({ projectId, environmentId }),
    onSuccess: async () => {
      await leave();
      await cache.invalidateQueries({ queryKey: ['scenarios', projectId, 'list'] });
    },
  });
}

export function useEditScenario(ids: ScenarioIds) {
  return useChange(['scenarios', ids.projectId], (body: BodyInputOf<'updateUserTestingScenario'>) =>
    client.updateUserTestingScenario({ ...ids, body }),
  );
}

export function useRotateLink(ids: ScenarioIds) {
  return useChange(['scenarios', ids.projectId], () =>
    client.rotateScenarioLink({ ...ids, body: {} }),
  );
}

export function useRebind(ids: ScenarioIds) {
  return useChange(['scenarios', ids.projectId], (environmentId: string) =>
    client.rebindScenario({ ...ids, body: { environmentId } }),
  );
}

export function useSetGuestExecution(ids: ScenarioIds) {
  return useChange(scenarioKey(ids), (body: BodyInputOf<'setGuestExecution'>) =>
    client.setGuestExecution({ ...ids, body }),
  );
}

export function useInvited(ids: ScenarioIds) {
  return useQuery({
    queryKey: [...scenarioKey(ids), 'members'],
    queryFn: ({ signal }) => client.listScenarioMembers({ ...ids }, { signal }),
  });
}

export function useInviteVisitor(ids: ScenarioIds) {
  return useChange([...scenarioKey(ids), 'members'], (body: BodyInputOf<'upsertScenarioMember'>) =>
    client.upsertScenarioMember({ ...ids, body }),
  );
}

export function useRemoveInvited(ids: ScenarioIds) {
  return useChange([...scenarioKey(ids), 'members'], (memberIdOrEmail: string) =>
    client.removeScenarioMember({ ...ids, memberIdOrEmail }),
  );
}

export function useVisitorSessions(ids: ScenarioIds) {
  return useInfiniteQuery({
    queryKey: [...scenarioKey(ids), 'sessions'],
    ...pagedQuery((page, signal) =>
      client.listUserTestingSessions({ ...ids, ...page }, { signal }),
    ),
    select: itemsRead,
    refetchInterval: lookAgainMs,
  });
}

export interface Transcript extends Omit<OutputOf<'getUserTestingSession'>, 'nextCursor'> {}

/** As long as a session goes on, what is said shows up. */
export function useTranscript(ids: VisitIds, isLive: boolean) {
  return useQuery({
    queryKey: [...scenarioKey(ids), 'sessions', ids.sessionId],
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

export function useDeleteVisit(ids: VisitIds, leave: () => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.deleteUserTestingSession({ ...ids }),
    onSuccess: async () => {
      await leave();
      await cache.invalidateQueries({ queryKey: scenarioKey(ids) });
    },
  });
}

export function useScenarioFindings(ids: ScenarioIds) {
  return useQuery({
    queryKey: [...scenarioKey(ids), 'findings'],
    queryFn: ({ signal }) => client.listUserTestingFindings({ ...ids }, { signal }),
    refetchInterval: 5 * lookAgainMs,
  });
}

export function useDismissScenarioFinding(ids: ScenarioIds, findingId: string) {
  return useChange([...scenarioKey(ids), 'findings'], (dismiss: boolean) =>
    dismiss
      ? client.dismissUserTestingFinding({ ...ids, findingId })
      : client.undismissUserTestingFinding({ ...ids, findingId }),
  );
}

/** Null while there is nothing to count. */
export function useScenarioNumbers(ids: ScenarioIds, population: Population | undefined) {
  return useQuery({
    queryKey: [...scenarioKey(ids), 'numbers', population ?? 'both'],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const whose = population === undefined ? {} : { population };
      const [metrics, usage] = await Promise.all([
        orNone(client.getUserTestingMetrics({ ...ids, ...whose }, { signal })),
        orNone(client.getUserTestingUsage({ ...ids }, { signal })),
      ]);
      return { metrics, usage };
    },
  });
}

/** The newest window; null before there is one. */
export function useScenarioSignals(ids: ScenarioIds) {
  return useQuery({
    queryKey: [...scenarioKey(ids), 'signals'],
    queryFn: ({ signal }) => orNone(client.getUserTestingSignals({ ...ids }, { signal })),
    refetchInterval: 5 * lookAgainMs,
  });
}

/** What was explained of the newest window. */
export function useScenarioInsights(ids: ScenarioIds) {
  return useQuery({
    queryKey: [...scenarioKey(ids), 'insights'],
    queryFn: async ({ signal }) => {
      const { insights } = await client.getUserTestingScenario({ ...ids }, { signal });
      return insights ?? null;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1000 : 5 * lookAgainMs),
  });
}

export function useExplainWindow(ids: ScenarioIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'requestUserTestingInsights'>) =>
      client.requestUserTestingInsights({ ...ids, body }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: capabilitiesKey(ids.projectId) });
      return cache.invalidateQueries({ queryKey: [...scenarioKey(ids), 'insights'] });
    },
  });
}

export function useCancelWindowInsights(ids: ScenarioIds) {
  return useChange([...scenarioKey(ids), 'insights'], (windowId: string) =>
    client.cancelUserTestingInsights({ ...ids, body: { windowId } }),
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

function useChange<Input, Output>(
  key: readonly unknown[],
  change: (input: Input) => Promise<Output>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => cache.invalidateQueries({ queryKey: key }),
  });
}

function scenarioKey({ projectId, scenarioId }: ScenarioIds) {
  return ['scenarios', projectId, scenarioId] as const;
}
