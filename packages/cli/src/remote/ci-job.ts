/**
 * Returns the CI job in which the command runs. The job is stored with the run. The run's name is
 * derived from the job and the results.
 */
export function ciJob(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const [provider, names] =
    Object.entries(providers).find(([, { provider: mark }]) => environment[mark]) ?? [];
  if (provider === undefined || names === undefined) return undefined;
  const facts = Object.entries(names)
    .filter(([fact]) => fact !== 'provider')
    .flatMap(([fact, name]) => (environment[name] ? [[fact, environment[name]]] : []));
  return { provider, ...Object.fromEntries(facts) };
}

/**
 * Variables to read for each CI system. If the variable `provider` is set, the command runs in that
 * system.
 */
const providers: Readonly<Record<string, Readonly<Record<string, string> & { provider: string }>>> =
  {
    github: {
      provider: 'GITHUB_ACTIONS',
      repository: 'GITHUB_REPOSITORY',
      branch: 'GITHUB_REF_NAME',
      commit: 'GITHUB_SHA',
      pipeline: 'GITHUB_RUN_ID',
      attempt: 'GITHUB_RUN_ATTEMPT',
      job: 'GITHUB_JOB',
    },
    gitlab: {
      provider: 'GITLAB_CI',
      repository: 'CI_PROJECT_PATH',
      branch: 'CI_COMMIT_REF_NAME',
      commit: 'CI_COMMIT_SHA',
      pipeline: 'CI_PIPELINE_ID',
      job: 'CI_JOB_ID',
    },
  };
