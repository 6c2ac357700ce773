/**
 * Finds the project that contains a run. A project named in the address is accepted without a
 * request; otherwise the projects are tried one after another.
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
