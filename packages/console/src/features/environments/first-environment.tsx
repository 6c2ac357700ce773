import { Link } from '@tanstack/react-router';
import { allBelow } from '../../kit/data/address-key.ts';
import { useSeveral, useWholeList } from '../../kit/data/operations.ts';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { environmentFor } from './data/server-environments.ts';

export function FirstEnvironment({ projectId, why }: { projectId: string; why: string }) {
  const servers = useWholeList('listProjectServers', { projectId });
  const make = useSeveral(
    ({ id: serverId, name }: { readonly id: string; readonly name: string }) =>
      environmentFor({ projectId, serverId }, name),
    [allBelow('listEnvironments', { projectId }), allBelow('listClients', { projectId })],
    { isPartly: true },
  );
  return (
    <QueryView query={servers}>
      {(all) => (
        <Empty title="No environment yet">
          <p>
            {why}{' '}
            {all.length > 0
              ? 'Make one for a server, with the built-in model; both can be changed later.'
              : 'Save a server first.'}
          </p>
          <div className="actions">
            {all.slice(0, mostOffered).map((server) => (
              <button
                key={server.id}
                type="button"
                className={all.length === 1 ? 'primary' : undefined}
                disabled={make.isPending}
                onClick={() => make.mutate(server)}
              >
                {`Make one for ${server.name}`}
              </button>
            ))}
            {all.length === 0 ? (
              <Link
                to="/projects/$projectId/servers/new"
                params={{ projectId }}
                className="button primary"
              >
                Add server
              </Link>
            ) : (
              <Link
                to="/projects/$projectId/environments/new"
                params={{ projectId }}
                className="button"
              >
                New environment
              </Link>
            )}
          </div>
          <div role="alert">
            {make.error !== null && <p className="form-problem">{make.error.message}</p>}
          </div>
        </Empty>
      )}
    </QueryView>
  );
}

/** Maximum number of servers with a button. The form for a new environment offers all servers. */
const mostOffered = 4;
