import { useWholeList } from '../data/operations.ts';

/**
 * Uses the project list, which every page of a project loads anyway. Null if the project is not in
 * the list.
 */
export function useProject(projectId: string) {
  const projects = useWholeList('listProjects', {});
  const found = projects.data?.find((project) => project.id === projectId);
  return { ...projects, data: projects.data === undefined ? undefined : (found ?? null) };
}
