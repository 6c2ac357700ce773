/**
 * Finds the users of resources: environments use clients, server groups, skills and plugins;
 * suites, share links and journeys use environments.
 */
import type { Journey, ProjectEnvironment } from '@proofmark/contract';
import { useQueries } from '@tanstack/react-query';
import { operationQuery, useOperation, useWholeList } from '../../../kit/data/operations.ts';

export interface UserOfPart {
  readonly id: string;
  readonly kind: 'environment' | 'suite' | 'journey' | 'link';
  readonly name: string;
}

/**
 * Returns a function that finds the environments matching a condition. Undefined until they are
 * loaded.
 */
export function useEnvironmentsThat(
  projectId: string,
): ((uses: (environment: ProjectEnvironment) => boolean) => UserOfPart[]) | undefined {
  const { data } = useWholeList('listEnvironments', { projectId });
  if (data === undefined) return undefined;
  return (uses) =>
    data.filter(uses).map(({ id, name }) => ({ id, name, kind: 'environment' as const }));
}

/**
 * Returns a function that finds the journeys matching a condition. Undefined until the journeys are
 * loaded. If the project has journeys disabled, the function finds none.
 */
export function useJourneysThat(
  projectId: string,
): ((uses: (journey: Journey) => boolean) => UserOfPart[]) | undefined {
  const { data: capabilities } = useOperation('getProjectCapabilities', { projectId });
  const isOn = capabilities?.features.swarms.enabled;
  const { data } = useWholeList('listJourneys', { projectId }, { enabled: isOn === true });
  if (isOn === false) return () => [];
  if (data === undefined) return undefined;
  return (uses) =>
    data.filter(uses).map(({ id, name }) => ({ id, name, kind: 'journey' as const }));
}

/**
 * Maximum number of suites to read. Each suite takes one request, because the list of suites does
 * not contain their environments.
 */
const suitesAsked = 40;

export function useUsersOfEnvironments(projectId: string): {
  readonly usersOf: (environmentId: string) => UserOfPart[];
  readonly isKnown: boolean;
  /** Number of suites that were not read because of the limit. */
  readonly left: number;
} {
  const suites = useWholeList('listEvalSuites', { projectId });
  const asked = (suites.data ?? []).slice(0, suitesAsked);
  const details = useQueries({
    queries: asked.map(({ id: suiteId }) => operationQuery('getEvalSuite', { projectId, suiteId })),
  });
  const { data: capabilities } = useOperation('getProjectCapabilities', { projectId });
  const isPublishing = capabilities?.features.userTesting.enabled === true;
  const scenarios = useWholeList('listScenarios', { projectId }, { enabled: isPublishing });
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
