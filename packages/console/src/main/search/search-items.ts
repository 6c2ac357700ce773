import { readAllPages } from '@proofmark/client';
import type { Home, Project } from '@proofmark/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useConsoleSession } from '../../features/accounts/index.ts';
import { homeQuery } from '../../features/home/index.ts';
import { client } from '../../kit/data/client.ts';
import { useWholeList } from '../../kit/data/operations.ts';
import { pagesOfAll, pagesOfOrganization, pagesOfProject } from './find-pages.ts';
import type { SearchItem } from './rank-items.ts';

/**
 * Maximum number of projects that the search reads on a page outside projects. Each project costs
 * several requests.
 */
const projectsAtOnce = 5;
/**
 * Maximum number of suites whose cases the search reads in the current project. Each suite costs
 * one request.
 */
const suitesAtOnce = 10;
const chatsAtOnce = 100;
const staleTime = 30_000;

export function useSearchItems(projectId: string | undefined): {
  readonly items: SearchItem[];
  readonly isReading: boolean;
  /** Number of projects whose contents were not searched. */
  readonly left: number;
  readonly failed: number;
  /** Number of suites whose cases were not searched. */
  readonly suitesLeft: number;
} {
  const { data: projects = [], isPending } = useWholeList('listProjects', {});
  const { data: organizations = [] } = useWholeList('listOrganizations', {});
  const { data: session } = useConsoleSession();
  const home = useQuery({ ...homeQuery, staleTime });
  const current = projects.filter(({ id }) => id === projectId);
  const inside = current.length > 0 ? current : projects.slice(0, projectsAtOnce);
  const contents = useQueries({
    queries: inside.map((project) => ({
      queryKey: ['search', project.id, inside.length === 1],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readContents(project, inside.length === 1 ? suitesAtOnce : 0, signal),
      staleTime,
    })),
  });
  return {
    items: [
      ...contents.flatMap(({ data }) => data?.items ?? []),
      ...(home.data === undefined ? [] : runItems(home.data)),
      ...projects.map(({ id, name }) => ({ href: `/projects/${id}`, kind: 'project', name })),
      ...inside.flatMap(pagesOfProject),
      ...organizations.flatMap(pagesOfOrganization),
      ...pagesOfAll(session?.signedIn === true && session.operatesInstallation),
    ],
    isReading: isPending || home.isPending || contents.some((one) => one.isPending),
    left: projects.length - inside.length,
    failed: contents.filter(({ isError }) => isError).length,
    suitesLeft: contents.reduce((sum, { data }) => sum + (data?.suitesLeft ?? 0), 0),
  };
}

async function readContents(
  project: Project,
  suitesInside: number,
  signal: AbortSignal,
): Promise<{ readonly items: SearchItem[]; readonly suitesLeft: number }> {
  const { id: projectId, name: place } = project;
  const options = { signal };
  const lists = await Promise.all([
    readAllPages((page) => client.listProjectServers({ projectId, ...page }, options)),
    readAllPages((page) => client.listEvalSuites({ projectId, ...page }, options)),
    readAllPages((page) => client.listEnvironments({ projectId, ...page }, options)),
    readAllPages((page) => client.listClients({ projectId, ...page }, options)),
    readAllPages((page) => client.listServerAttachments({ projectId, ...page }, options)),
    readAllPages((page) => client.listSkills({ projectId, ...page }, options)),
    readAllPages((page) => client.listProjectPlugins({ projectId, ...page }, options)),
    readAllPages((page) => client.listPersonas({ projectId, ...page }, options)),
    readAllPages((page) => client.listJourneys({ projectId, ...page }, options)),
    readAllPages((page) => client.listSwarms({ projectId, ...page }, options)),
    readAllPages((page) => client.listScenarios({ projectId, ...page }, options)),
  ]);
  const named = lists.flatMap(
    (list: readonly { readonly id: string; readonly name: string }[], index) => {
      const [kind, path] = kinds[index] as (typeof kinds)[number];
      return list.map(({ id, name }) => ({
        href: `/projects/${projectId}/${path}/${id}`,
        kind,
        name,
        place,
      }));
    },
  );
  const suites = lists[1];
  const [cases, chats] = await Promise.all([
    Promise.all(
      suites.slice(0, suitesInside).map(({ id: suiteId }) => readCases(project, suiteId, signal)),
    ),
    readChats(project, signal),
  ]);
  return {
    items: [...named, ...cases.flat(), ...chats],
    suitesLeft: Math.max(suites.length - suitesInside, 0),
  };
}

async function readCases(
  { id: projectId, name: place }: Project,
  suiteId: string,
  signal: AbortSignal,
): Promise<SearchItem[]> {
  const cases = await readAllPages((page) =>
    client.listEvalCases({ projectId, suiteId, ...page }, { signal }),
  );
  return cases.map(({ id, title }) => ({
    href: `/projects/${projectId}/suites/${suiteId}/cases/${id}`,
    kind: 'case',
    name: title,
    place,
  }));
}

/**
 * Returns at most 100 conversations, newest first. The search of the playground finds older ones.
 */
async function readChats(project: Project, signal: AbortSignal): Promise<SearchItem[]> {
  const { id: projectId, name: place } = project;
  const { items } = await client.listSessions(
    { projectId, sourceType: 'direct', limit: chatsAtOnce },
    { signal },
  );
  return items.flatMap(({ id, title, origin }) =>
    title === null || origin !== 'ui'
      ? []
      : [
          {
            href: `/projects/${projectId}/playground/${id}`,
            kind: 'conversation',
            name: title,
            place,
          },
        ],
  );
}

function runItems({ running, latest }: Home): SearchItem[] {
  return [...running.items, ...latest.items].map((run) => ({
    href: `/projects/${run.projectId}/runs/${run.runId}`,
    kind: 'run',
    name: `${run.suiteName}, run ${run.runNumber}`,
    place: run.projectName,
  }));
}

const kinds = [
  ['server', 'servers'],
  ['suite', 'suites'],
  ['environment', 'environments'],
  ['client', 'clients'],
  ['server group', 'server-groups'],
  ['skill', 'skills'],
  ['plugin', 'plugins'],
  ['persona', 'personas'],
  ['journey', 'journeys'],
  ['swarm', 'swarms'],
  ['share link', 'user-testing'],
] as const;
