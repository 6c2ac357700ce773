/**
 * Finds the project of a run among those that a person can see. If one of them is named, it is
 * accepted without a request; otherwise they are tried in turn until one contains the run.
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
