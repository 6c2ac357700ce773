/** What is saved about the server, to change it where one may; deleting it stands last. */
import type { Project, ProjectServer } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { ServerEditor } from './server-editor.tsx';
import { ServerFacts } from './server-facts.tsx';

export function SettingsSection(props: {
  server: ProjectServer;
  role: Project['role'];
  /** It was changed, and may answer otherwise now. */
  onSaved: () => void;
}) {
  const { server, role } = props;
  return (
    <div className="narrow overview">
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
