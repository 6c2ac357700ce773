import { tierAllows } from '@proofmark/domain';
import { Link, useParams } from '@tanstack/react-router';
import { useOrganizationName } from '../data/organizations.ts';
import { type Project, useProject } from '../data/projects.ts';
import { useServers } from '../data/servers.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectSettings } from '../parts/project-settings.tsx';
import { roleWords } from '../parts/project-words.ts';
import { ServerTable } from '../parts/server-table.tsx';

export function ProjectPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' });
  const project = useProject(projectId);
  const organizationName = useOrganizationName();
  const organization = project.data ? organizationName(project.data.organizationId) : '';
  return (
    <Page
      title={project.data?.name ?? 'Project'}
      crumbs={
        <>
          <Link to="/projects">Projects</Link>
          {organization !== '' && ` / ${organization}`}
        </>
      }
      intro={project.data?.description || undefined}
    >
      <Answer query={project}>
        {(found) => (
          <>
            <Servers project={found} />
            <section aria-labelledby="settings">
              <h2 id="settings">Settings</h2>
              {tierAllows(found.role, 'admin') ? (
                <ProjectSettings key={found.id} project={found} />
              ) : (
                <p className="hint">
                  Your role here is {roleWords[found.role]}. A project admin can change the
                  settings.
                </p>
              )}
            </section>
          </>
        )}
      </Answer>
    </Page>
  );
}

function Servers(props: { project: Project }) {
  const { id: projectId, role } = props.project;
  const servers = useServers(projectId);
  const mayAdd = tierAllows(role, 'manage');
  const add = (
    <Link
      to="/projects/$projectId/servers/new"
      params={{ projectId }}
      className={servers.data?.length === 0 ? 'button primary' : 'button'}
    >
      Add server
    </Link>
  );
  return (
    <section aria-labelledby="servers">
      <div className="section-head">
        <h2 id="servers">Servers</h2>
        {mayAdd && servers.data !== undefined && servers.data.length > 0 && add}
      </div>
      <Answer query={servers}>
        {(all) =>
          all.length > 0 ? (
            <ServerTable servers={all} />
          ) : (
            <Empty title="No servers yet">
              <p>Save the address of an MCP server (Streamable HTTP or SSE) to test it.</p>
              {mayAdd ? add : <p className="hint">A manager of this project can add one.</p>}
            </Empty>
          )
        }
      </Answer>
    </section>
  );
}
