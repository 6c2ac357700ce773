/**
 * Which project a run is in, of those a person sees. One that is named is taken at its word; without a name, or with one
 * of a project they do not see, they are asked one after the other, and none further once it is found.
 */
export async function projectOfRun(
  projects: readonly { readonly id: string }[],
  named: string | undefined,
  hasRun: (projectId: string) => Promise<boolean>,
): Promise<string | null> {
  if (projects.some(({ id }) => id === named)) return named ?? null;
  for (const { id } of projects) if (await hasRun(id)) return id;
  return null;
}
