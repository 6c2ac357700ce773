/**
 * Returns the path of a trial's trace, relative to the base address. Ids are encoded, so that none
 * can add a path segment or a query. An unpaired surrogate cannot be encoded and becomes the
 * replacement character, so the function never fails.
 */
export function tracePath(projectId: string, runId: string, trialId: string): string {
  const [project, run, trial] = [projectId, runId, trialId].map((id) =>
    encodeURIComponent(id.toWellFormed()),
  );
  return `/projects/${project}/eval-runs/${run}/iterations/${trial}/trace`;
}
