/**
 * Returns the path of a trial's trace, relative to the base address. Each id is encoded, so an id
 * can never add a segment or a query. An unpaired surrogate cannot be encoded and becomes the
 * replacement character, so there is always a path.
 */
export function tracePath(projectId: string, runId: string, trialId: string): string {
  const [project, run, trial] = [projectId, runId, trialId].map((id) =>
    encodeURIComponent(id.toWellFormed()),
  );
  return `/projects/${project}/eval-runs/${run}/iterations/${trial}/trace`;
}
