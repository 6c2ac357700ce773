/** What the search finds: pages, things to do, projects, and what the projects that are looked into hold. */
import { readAllPages } from '@proofmark/client';
import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { useQueries } from '@tanstack/react-query';
import type { SearchItem } from '../search/rank-items.ts';
import { client } from './client.ts';
import { useProjects } from './projects.ts';

/** From a page of no project, so many are looked into; each costs some requests. */
const projectsAtOnce = 5;

export function useSearchItems(projectId: string | undefined): {
  readonly items: SearchItem[];
  readonly isReading: boolean;
  /** Names of projects whose contents were not looked into. */
  readonly left: number;
  readonly failed: number;
} {
  const { data: projects = [], isPending } = useProjects();
  const current = projects.filter(({ id }) => id === projectId);
  const inside = current.length > 0 ? current : projects.slice(0, projectsAtOnce);
  const contents = useQueries({
    queries: inside.map((project) => ({
      queryKey: ['search', project.id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readContents(project, signal),
      staleTime: 30_000,
    })),
  });
  return {
    items: [
      ...contents.flatMap(({ data }) => data ?? []),
      ...projects.map(({ id, name }) => ({ href: `/projects/${id}`, kind: 'project', name })),
      ...inside.flatMap(thingsToDo),
      ...pages,
    ],
    isReading: isPending || contents.some((one) => one.isPending),
    left: projects.length - inside.length,
    failed: contents.filter(({ isError }) => isError).length,
  };
}

async function readContents(project: Project, signal: AbortSignal): Promise<SearchItem[]> {
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
  ]);
  return lists.flatMap((list: readonly { readonly id: string; readonly name: string }[], index) => {
    const [kind, path] = kinds[index] as (typeof kinds)[number];
    return list.map(({ id, name }) => ({
      href: `/projects/${projectId}/${path}/${id}`,
      ...{ kind, name, place },
    }));
  });
}

/** In the order in which they are read. */
const kinds = [
  ['server', 'servers'],
  ['suite', 'suites'],
  ['environment', 'environments'],
  ['client', 'clients'],
  ['server group', 'server-groups'],
  ['skill', 'skills'],
  ['plugin', 'plugins'],
] as const;

function thingsToDo({ id, name: place, role }: Project): SearchItem[] {
  const at = (path: string, name: string, kind = 'do') => ({
    href: `/projects/${id}${path}`,
    ...{ kind, name, place },
  });
  return [
    at('?section=playground', 'Playground', 'go to'),
    at('?section=evals', 'Evals', 'go to'),
    at('?section=environments', 'Set-up', 'go to'),
    ...(tierAllows(role, 'manage')
      ? [at('/servers/new', 'Add a server'), at('/clients/new', 'New client')]
      : []),
    ...(tierAllows(role, 'admin') ? [at('/environments/new', 'New environment')] : []),
  ];
}

const pages: readonly SearchItem[] = [
  { href: '/', kind: 'go to', name: 'Home' },
  { href: '/projects', kind: 'go to', name: 'Projects' },
  { href: '/projects/new', kind: 'do', name: 'New project' },
  { href: '/api-keys', kind: 'go to', name: 'API keys' },
  { href: '/organizations', kind: 'go to', name: 'People and settings' },
  { href: '/account', kind: 'go to', name: 'Account' },
  { href: '/reference', kind: 'go to', name: 'Reference of the API' },
];
