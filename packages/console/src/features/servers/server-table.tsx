import type { ProjectServer } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterBox, shortListLength } from '../../kit/filter-box.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { storedCredentials } from './credential-words.ts';
import { ServerHealthSign } from './server-health.tsx';

export function ServerTable(props: { servers: readonly ProjectServer[] }) {
  const [filter, setFilter] = useState('');
  const shown = props.servers.filter((server) =>
    `${server.name} ${server.url ?? ''}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <>
      {props.servers.length > shortListLength && (
        <FilterBox
          label="Filter servers"
          value={filter}
          found={`${shown.length} of ${props.servers.length} servers`}
          onChange={setFilter}
        />
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Health</th>
            <th scope="col">Address</th>
            <th scope="col">Transport</th>
            <th scope="col">Stored credentials</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((server) => (
            <ServerRow key={server.id} server={server} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function ServerRow({ server }: { server: ProjectServer }) {
  const stored = storedCredentials(server);
  const params = { projectId: server.projectId, serverId: server.id };
  return (
    <tr>
      <th scope="row">
        <Link to="/projects/$projectId/servers/$serverId" params={params}>
          {server.name}
        </Link>
        {!server.enabled && <span className="tag">switched off</span>}
      </th>
      <td data-label="Health">
        {server.health === undefined ? (
          'not examined'
        ) : (
          <span>
            <ServerHealthSign health={server.health} />{' '}
            <span className="hint">
              <InstantText atMs={server.health.checkedAt} />
            </span>
          </span>
        )}
      </td>
      <td data-label="Address" className="code">
        {server.url ?? <span className="plain">from the operator’s configuration</span>}
      </td>
      <td data-label="Transport">
        {server.transportType === 'http' ? `HTTP${server.useOAuth ? ' with OAuth' : ''}` : 'stdio'}
      </td>
      <td data-label="Stored credentials">{stored.length === 0 ? 'none' : stored.join(', ')}</td>
    </tr>
  );
}
