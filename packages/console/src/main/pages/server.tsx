import type { Project, ProjectServer } from '@proofmark/contract';
import { TestServer } from '../../features/evals/index.ts';
import { ServerDetailPage } from '../../features/servers/pages/server.tsx';
import { TryWithUsers } from '../../features/swarms/index.ts';
import { ShareServer } from '../../features/user-testing/index.ts';

export function ServerPage() {
  return (
    <ServerDetailPage uses={(server, project) => <UseServer server={server} project={project} />} />
  );
}

function UseServer({ server, project }: { server: ProjectServer; project: Project }) {
  const ids = { projectId: project.id, serverId: server.id };
  const shared = { ids, serverName: server.name };
  return (
    <div className="use-server">
      <TestServer {...shared} />
      <TryWithUsers {...shared} project={project} />
      <ShareServer {...shared} project={project} />
    </div>
  );
}
