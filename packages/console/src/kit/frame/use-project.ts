import { useWholeList } from '../data/operations.ts';

/** One project out of the list, which every page of a project needs anyway; null when not in it. */
export function useProject(projectId: string) {
  const projects = useWholeList('listProjects', {});
  const found = projects.data?.find((project) => project.id === projectId);
  return { ...projects, data: projects.data === undefined ? undefined : (found ?? null) };
}
