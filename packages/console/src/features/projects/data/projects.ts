import { readAllPages } from '@proofmark/client';
import type { BodyInputOf, Project } from '@proofmark/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

const projectsKey = ['projects'] as const;

export function useProjects() {
  return useQuery({
    queryKey: projectsKey,
    queryFn: ({ signal }) => readAllPages((page) => client.listProjects(page, { signal })),
  });
}

/** One project out of the list, which every page of a project needs anyway; null when not in it. */
export function useProject(projectId: string) {
  const projects = useProjects();
  const found = projects.data?.find((project) => project.id === projectId);
  return { ...projects, data: projects.data === undefined ? undefined : (found ?? null) };
}

export function useCreateProject() {
  const readAgain = useReadProjectsAgain();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createProject'>) => client.createProject({ body }),
    onSuccess: readAgain,
  });
}

export function useUpdateProject(projectId: string) {
  const readAgain = useReadProjectsAgain();
  return useMutation({
    mutationFn: (body: BodyInputOf<'updateProject'>) => client.updateProject({ projectId, body }),
    onSuccess: readAgain,
  });
}

/** `leave` goes to another page first: the one that stands must not read what is gone. */
export function useDeleteProject(projectId: string, leave: () => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.deleteProject({ projectId }),
    onSuccess: async () => {
      await leave();
      cache.setQueryData<Project[]>(projectsKey, (all) =>
        all?.filter((project) => project.id !== projectId),
      );
    },
  });
}

function useReadProjectsAgain() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: projectsKey });
}
