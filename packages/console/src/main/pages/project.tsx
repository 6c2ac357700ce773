import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useOrganizationName } from '../../features/accounts/data/organizations.ts';
import {
  PluginsSection,
  ServerGroupsSection,
  SkillsSection,
} from '../../features/environments/bundles-sections.tsx';
import { ClientsSection } from '../../features/environments/clients-section.tsx';
import { EnvironmentsSection } from '../../features/environments/environments-section.tsx';
import { EvalsSection } from '../../features/evals/evals-section.tsx';
import { PlaygroundSection } from '../../features/playground/playground-section.tsx';
import { useProject } from '../../features/projects/data/projects.ts';
import { ProjectSettings } from '../../features/projects/project-settings.tsx';
import { roleWords } from '../../features/projects/project-words.ts';
import { ScorerSecret } from '../../features/projects/scorer-secret.tsx';
import { ServerTable } from '../../features/servers/server-table.tsx';
import { SwarmsSection } from '../../features/swarms/swarms-section.tsx';
import { UserTestingSection } from '../../features/user-testing/user-testing-section.tsx';
import { useWholeList } from '../../kit/data/operations.ts';
import { PageFrame } from '../../kit/page-frame.tsx';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { ProjectSections } from '../project-sections.tsx';

/** Its words are those of every operation, whose shapes take half of the time that a page needs to start. */
const AgentSection = lazy(async () => ({
  default: (await import('../../features/agent/agent-section.tsx')).AgentSection,
}));

const route = '/signed-in/projects/$projectId';

export function ProjectDetailPage() {
  const { projectId } = useParams({ from: route });
  const { section, archived } = useSearch({ from: route });
  const project = useProject(projectId);
  const organizationName = useOrganizationName();
  const organization = project.data ? organizationName(project.data.organizationId) : '';
  return (
    <PageFrame
      title={project.data?.name ?? 'Project'}
      crumbs={
        <>
          <Link to="/projects">Projects</Link>
          {organization !== '' && ` / ${organization}`}
        </>
      }
      intro={project.data?.description || undefined}
    >
      <QueryView query={project}>
        {(found) => (
          <>
            <ProjectSections projectId={projectId} current={section ?? 'overview'} />
            {section === undefined && <Overview project={found} />}
            {section === 'playground' && <PlaygroundSection project={found} />}
            {section === 'evals' && <EvalsSection project={found} />}
            {section === 'swarms' && <SwarmsSection project={found} />}
            {section === 'user-testing' && <UserTestingSection project={found} />}
            {section === 'clients' && <ClientsSection project={found} />}
            {section === 'environments' && (
              <EnvironmentsSection project={found} withArchived={archived === true} />
            )}
            {section === 'server-groups' && <ServerGroupsSection project={found} />}
            {section === 'skills' && <SkillsSection project={found} />}
            {section === 'plugins' && <PluginsSection project={found} />}
            {section === 'agent' && (
              <Suspense
                fallback={
                  <p role="status" className="loading">
                    Loading…
                  </p>
                }
              >
                <AgentSection project={found} />
              </Suspense>
            )}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Overview({ project }: { project: Project }) {
  return (
    <>
      <Servers project={project} />
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        {tierAllows(project.role, 'admin') ? (
          <>
            <ProjectSettings key={project.id} project={project} />
            <ScorerSecret projectId={project.id} />
          </>
        ) : (
          <p className="hint">
            Your role here is {roleWords[project.role]}. A project admin can change the settings.
          </p>
        )}
      </section>
    </>
  );
}

function Servers(props: { project: Project }) {
  const { id: projectId, role } = props.project;
  const servers = useWholeList('listProjectServers', { projectId });
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
      <QueryView query={servers}>
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
      </QueryView>
    </section>
  );
}
