/**
 * The list of environments lacks unnamed ones, so an unnamed environment is loaded by a separate
 * request.
 */
import { forForm, useOperation, useWholeList } from '../../../kit/data/operations.ts';

interface EnvironmentIds {
  readonly projectId: string;
  readonly environmentId: string;
}

export function EnvironmentName({ ids }: { ids: EnvironmentIds }) {
  const { data } = useWholeList('listEnvironments', { projectId: ids.projectId });
  if (data === undefined) return ids.environmentId;
  const listed = data.find(({ id }) => id === ids.environmentId);
  return listed?.name ?? <UnlistedName ids={ids} />;
}

function UnlistedName({ ids }: { ids: EnvironmentIds }) {
  return useOperation('getEnvironment', ids, forForm).data?.name ?? ids.environmentId;
}
