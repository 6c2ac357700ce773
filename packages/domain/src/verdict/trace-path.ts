/**
 * Ids are percent-encoded, so no id can add a path segment or a query. `toWellFormed` replaces
 * unpaired surrogates, which `encodeURIComponent` would reject.
 */
export function tracePath(projectId: string, runId: string, trialId: string): string {
  const [project, run, trial] = [projectId, runId, trialId].map((id) =>
    encodeURIComponent(id.toWellFormed()),
  );
  return `/projects/${project}/eval-runs/${run}/iterations/${trial}/trace`;
}
