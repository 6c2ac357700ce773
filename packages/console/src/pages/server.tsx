import { tierAllows } from '@proofmark/domain';
import { useParams } from '@tanstack/react-router';
import { useProject } from '../data/projects.ts';
import { useServer } from '../data/servers.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { ServerEditor } from '../parts/server-editor.tsx';
import { ServerFacts } from '../parts/server-facts.tsx';

export function ServerPage() {
  const { projectId, serverId } = useParams({
    from: '/signed-in/projects/$projectId/servers/$serverId',
  });
  const server = useServer(projectId, serverId);
  const project = useProject(projectId);
  const title = server.data?.name ?? 'Server';
  return (
    <Page title={title} crumbs={<ProjectCrumbs projectId={projectId} />} width="narrow">
      <Answer query={server}>
        {(found) => (
          <Answer query={project}>
            {({ role }) => {
              if (found.transportType === 'stdio') {
                return (
                  <ServerFacts
                    server={found}
                    why="This server starts a program on the host. It comes from the operator’s configuration and can only be changed there."
                  />
                );
              }
              if (!tierAllows(role, 'manage')) {
                return (
                  <ServerFacts
                    server={found}
                    why="A manager of this project can change this server."
                  />
                );
              }
              return <ServerEditor key={found.id} server={found} />;
            }}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}
