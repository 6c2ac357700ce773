/** What is saved about the server, to change it where one may, and a first word with it. */
import type { Project, ProjectServer } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { useValidate } from '../../data/server-calls.ts';
import type { ServerIds } from '../../data/server-lists.ts';
import { ServerEditor } from '../server-editor.tsx';
import { ServerFacts } from '../server-facts.tsx';
import { CallFailure } from './call-failure.tsx';
import { ServerSent } from './server-sent.tsx';

export function OverviewSection(props: { server: ProjectServer; role: Project['role'] }) {
  const { server, role } = props;
  return (
    <div className="narrow overview">
      {server.transportType === 'stdio' ? (
        <ServerFacts
          server={server}
          why="This server starts a program on the host. It comes from the operator’s configuration and can only be changed there."
        />
      ) : tierAllows(role, 'manage') ? (
        <ServerEditor key={server.id} server={server} />
      ) : (
        <ServerFacts server={server} why="A manager of this project can change this server." />
      )}
      <Connection ids={{ projectId: server.projectId, serverId: server.id }} />
    </div>
  );
}

function Connection({ ids }: { ids: ServerIds }) {
  const call = useValidate(ids);
  return (
    <section aria-labelledby="connection">
      <div className="section-head">
        <h2 id="connection">Connection</h2>
        <button type="button" disabled={call.isPending} onClick={() => call.start()}>
          Connect
        </button>
      </div>
      <div role="status">
        {call.isPending && <p className="loading">Connecting…</p>}
        {call.data !== undefined && (
          <p>
            <b className="tone-pass">Connected.</b> The server answered as MCP asks.
          </p>
        )}
        {!call.isPending && call.data === undefined && call.error === null && (
          <p className="hint">
            Connects with what is saved and shows what the server says about itself.
          </p>
        )}
      </div>
      {call.error !== null && <CallFailure error={call.error} ids={ids} />}
      {call.data?.initInfo && <ServerSent initInfo={call.data.initInfo} />}
    </section>
  );
}
