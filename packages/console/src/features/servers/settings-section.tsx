import type { Project, ProjectServer } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { FactList } from '../../kit/fact-list.tsx';
import { storedCredentials } from './credential-words.ts';
import { ServerEditor } from './server-editor.tsx';

export function SettingsSection(props: {
  server: ProjectServer;
  role: Project['role'];
  /** Called after saving, because the server may now answer differently. */
  onSaved: () => void;
}) {
  const { server, role } = props;
  return (
    <div className="overview">
      {server.transportType === 'stdio' ? (
        <ServerFacts
          server={server}
          why="This server starts a program on the host. It comes from the operator’s configuration and can only be changed there."
        />
      ) : tierAllows(role, 'manage') ? (
        <ServerEditor key={server.id} server={server} onSaved={props.onSaved} />
      ) : (
        <ServerFacts server={server} why="A manager of this project can change this server." />
      )}
    </div>
  );
}

function ServerFacts({ server, why }: { server: ProjectServer; why: string }) {
  const stored = storedCredentials(server);
  const facts = [
    ['Transport', server.transportType === 'http' ? 'HTTP' : 'stdio'],
    ['Address', server.url ?? 'from the operator’s configuration'],
    ['Enabled', server.enabled ? 'yes' : 'no'],
    ['Timeout', server.timeout === null ? 'the default' : `${server.timeout} ms`],
    [
      'Largest message',
      server.maxMessageMiB === null ? 'the default' : `${server.maxMessageMiB} MiB`,
    ],
    ['OAuth', server.useOAuth ? 'yes' : 'no'],
    ['Stored credentials', stored.length === 0 ? 'none' : stored.join(', ')],
  ] as const;
  return (
    <>
      <p className="intro">{why}</p>
      <FactList facts={facts} />
    </>
  );
}
