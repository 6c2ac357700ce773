import type { Project } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useOrganizationName } from '../../features/accounts/index.ts';
import {
  ClientsSection,
  EnvironmentsSection,
  PluginsSection,
  ServerGroupsSection,
  SkillsSection,
} from '../../features/environments/index.ts';
import { EvalsSection } from '../../features/evals/index.ts';
import { ProjectOverview } from '../../features/home/index.ts';
import { PlaygroundSection } from '../../features/playground/index.ts';
import { ProjectSettings, ScorerSecret } from '../../features/projects/index.ts';
import { ServerTable } from '../../features/servers/index.ts';
import { useSpentToday } from '../../features/spending/index.ts';
import { SwarmsSection } from '../../features/swarms/index.ts';
import { UserTestingSection } from '../../features/user-testing/index.ts';
import { useWholeList } from '../../kit/data/operations.ts';
import { PageFrame } from '../../kit/frame/page-frame.tsx';
import { useProject } from '../../kit/frame/use-project.ts';
import { roleWords } from '../../kit/project-words.ts';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { ProjectSections } from '../project-sections.tsx';

/**
 * Loaded on demand. The section imports the schemas of all operations, which would take half of a
 * page's start-up time.
 */
const AgentSection = lazy(async () => ({
  default: (await import('../../features/agent/pages/agent-section.tsx')).AgentSection,
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
            {section === 'settings' && <Settings project={found} />}
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
  const spent = useSpentToday(project.organizationId);
  return (
    <>
      <ProjectOverview
        projectId={project.id}
        facts={spent === undefined ? [] : [['Spent today by the organization', spent]]}
      />
      <Servers project={project} />
    </>
  );
}

function Settings({ project }: { project: Project }) {
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      {tierAllows(project.role, 'admin') ? (
        <div className="two-columns">
          <ProjectSettings key={project.id} project={project} />
          <ScorerSecret projectId={project.id} />
        </div>
      ) : (
        <p className="hint">
          Your role here is {roleWords[project.role]}. A project admin can change the settings.
        </p>
      )}
    </section>
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
