import { useWholeList } from '../data/operations.ts';

/**
 * Finds a project in the list of projects, which every page loads anyway. `data` is null if the
 * list does not contain it.
 */
export function useProject(projectId: string) {
  const projects = useWholeList('listProjects', {});
  const found = projects.data?.find((project) => project.id === projectId);
  return { ...projects, data: projects.data === undefined ? undefined : (found ?? null) };
}
