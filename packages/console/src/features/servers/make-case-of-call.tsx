/** A call that was tried becomes a case: it is made again, and what came back is expected. */
import type { OutputOf } from '@proofmark/contract';
import type { Json } from '@proofmark/domain';
import { useWholeList } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { caseOfCall, MakeCase } from '../evals/index.ts';

export function MakeCaseOfCall(props: {
  ids: ServerIds;
  toolName: string;
  parameters: Json;
  result: OutputOf<'callTool'>;
}) {
  const { ids, toolName, parameters, result } = props;
  const { projectId, serverId } = ids;
  const server = useWholeList('listProjectServers', { projectId }).data?.find(
    ({ id }) => id === serverId,
  );
  if (server === undefined) return null;
  const call = { serverId, serverName: server.name, toolName, parameters, result };
  const expected = result.isError
    ? 'that the tool reports an error'
    : 'what it answered, by the first line of its text that says something';
  return (
    <div className="actions">
      <MakeCase
        projectId={projectId}
        title="Make a case of this call"
        source={{ body: (title) => caseOfCall(call, title), serverId }}
        intro={`The case makes this call again, without a model, and checks ${expected}. A suite that lacks this server is given it.`}
        name={{ start: `${toolName.slice(0, 150)} ${result.isError ? 'fails' : 'answers'}` }}
        serverIds={[serverId]}
      />
    </div>
  );
}
