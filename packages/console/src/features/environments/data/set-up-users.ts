/** What uses the parts of a set-up: environments use clients, groups, skills and plugins; suites, links and journeys use environments. */
import { readAllPages } from '@proofmark/client';
import type { Journey, ProjectEnvironment } from '@proofmark/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCapabilities } from '../../../kit/data/capabilities.ts';
import { client } from '../../../kit/data/client.ts';
import { useEvalSuites } from '../../evals/data/eval-suites.ts';
import { useEnvironments } from './environments.ts';

export interface UserOfPart {
  readonly id: string;
  readonly kind: 'environment' | 'suite' | 'journey' | 'link';
  readonly name: string;
}

/** Nothing while it is not known yet. */
export function useEnvironmentsThat(
  projectId: string,
): ((uses: (environment: ProjectEnvironment) => boolean) => UserOfPart[]) | undefined {
  const { data } = useEnvironments(projectId);
  if (data === undefined) return undefined;
  return (uses) =>
    data.filter(uses).map(({ id, name }) => ({ id, name, kind: 'environment' as const }));
}

/** Nothing while it is not known yet; none where journeys are switched off. */
export function useJourneysThat(
  projectId: string,
): ((uses: (journey: Journey) => boolean) => UserOfPart[]) | undefined {
  const { data: capabilities } = useCapabilities(projectId);
  const isOn = capabilities?.features.swarms.enabled;
  const { data } = useQuery({
    queryKey: ['journeys', projectId, 'list'],
    queryFn: ({ signal }) =>
      readAllPages((page) => client.listJourneys({ projectId, ...page }, { signal })),
    enabled: isOn === true,
  });
  if (isOn === false) return () => [];
  if (data === undefined) return undefined;
  return (uses) =>
    data.filter(uses).map(({ id, name }) => ({ id, name, kind: 'journey' as const }));
}

/** Suites say it each by themselves, so only so many are asked. */
const suitesAsked = 40;

export function useUsersOfEnvironments(projectId: string): {
  readonly usersOf: (environmentId: string) => UserOfPart[];
  readonly isKnown: boolean;
  /** Suites that were not asked. */
  readonly left: number;
} {
  const suites = useEvalSuites(projectId);
  const asked = (suites.data ?? []).slice(0, suitesAsked);
  const details = useQueries({
    queries: asked.map(({ id: suiteId }) => ({
      queryKey: ['eval-suites', projectId, suiteId, 'detail'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.getEvalSuite({ projectId, suiteId }, { signal }),
    })),
  });
  const { data: capabilities } = useCapabilities(projectId);
  const isPublishing = capabilities?.features.userTesting.enabled === true;
  const scenarios = useQuery({
    queryKey: ['set-up-links', projectId],
    queryFn: async ({ signal }) => (await client.listScenarios({ projectId }, { signal })).items,
    enabled: isPublishing,
  });
  const journeysThat = useJourneysThat(projectId);
  return {
    usersOf: (environmentId) => [
      ...details.flatMap(({ data }) =>
        data?.environmentIds.includes(environmentId)
          ? [{ id: data.id, kind: 'suite' as const, name: data.name }]
          : [],
      ),
      ...(journeysThat?.(({ environmentIds }) => environmentIds.includes(environmentId)) ?? []),
      ...(scenarios.data ?? [])
        .filter((one) => one.environmentId === environmentId)
        .map(({ id, name }) => ({ id, kind: 'link' as const, name })),
    ],
    isKnown:
      suites.data !== undefined &&
      journeysThat !== undefined &&
      (!isPublishing || !scenarios.isPending) &&
      details.every(({ isPending }) => !isPending),
    left: (suites.data?.length ?? 0) - asked.length,
  };
}
