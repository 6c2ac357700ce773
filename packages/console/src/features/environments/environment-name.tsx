/** What an environment is called. One that nobody has named is in no list, and is read by itself. */
import { type EnvironmentIds, useEnvironment, useEnvironments } from './data/environments.ts';

export function EnvironmentName({ ids }: { ids: EnvironmentIds }) {
  const { data } = useEnvironments(ids.projectId);
  if (data === undefined) return ids.environmentId;
  const listed = data.find(({ id }) => id === ids.environmentId);
  return listed?.name ?? <UnlistedName ids={ids} />;
}

function UnlistedName({ ids }: { ids: EnvironmentIds }) {
  return useEnvironment(ids).data?.name ?? ids.environmentId;
}
