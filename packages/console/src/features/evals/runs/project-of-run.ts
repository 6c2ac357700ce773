/**
 * Finds the project of a run among the projects that a person sees. A named project among them is
 * accepted without a check; otherwise they are queried one after the other until the run is found.
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
