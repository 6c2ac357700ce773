import '../../../kit/styles/reference.css';
import '../../../kit/styles/server.css';
import '../doctor.css';
import '../server-lists.css';
import '../../../kit/styles/server-calls.css';
import type {
  Project,
  ProjectServer,
  Prompt,
  Resource,
  ResourceTemplate,
} from '@proofmark/contract';
import { serverHealthSentence } from '@proofmark/domain';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { forForm, readOnce, useOperation } from '../../../kit/data/operations.ts';
import {
  type ServerIds,
  useListedTools,
  usePrompts,
  useResources,
  useResourceTemplates,
} from '../../../kit/data/server-lists.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { LintFindings } from '../../insights/index.ts';
import { CallFailure } from '../call-failure.tsx';
import { Chooser } from '../chooser.tsx';
import { useDoctor, useValidate } from '../data/server-calls.ts';
import { DoctorSection } from '../doctor-section.tsx';
import { isToExamine, wasExamined } from '../examine-next.ts';
import { PromptDetail } from '../prompt-detail.tsx';
import { ResourceDetail } from '../resource-detail.tsx';
import { ServerHealthSign } from '../server-health.tsx';
import { type Section, sections } from '../server-sections.ts';
import { ServerSent } from '../server-sent.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { SplitSection } from '../split-section.tsx';
import { StartConformance } from '../start-conformance.tsx';
import { ToolsSection } from '../tools-section.tsx';

const route = '/signed-in/projects/$projectId/servers/$serverId';

/**
 * Renders links to the suites and other uses of the server. The caller provides it, because other
 * features own those uses.
 */
type Uses = (server: ProjectServer, project: Project) => ReactNode;

export function ServerDetailPage({ uses }: { uses: Uses }) {
  const ids = useParams({ from: route });
  // The key resets all state when another server is opened, so that results are never shown for the
  // wrong server.
  return <OneServer key={ids.serverId} ids={ids} uses={uses} />;
}

function OneServer({ ids, uses }: { ids: ServerIds; uses: Uses }) {
  const { section = 'tools', item } = useSearch({ from: route });
  const navigate = useNavigate();
  const server = useOperation(
    'getProjectServer',
    { projectId: ids.projectId, serverId: ids.serverId },
    forForm,
  );
  const project = useProject(ids.projectId);
  // The examination's state is kept on the page, not in the section, so that it continues while
  // another section is shown.
  const doctor = useDoctor(ids);
  const { start } = doctor;
  const isKnown = doctor.data !== undefined || doctor.error !== null;
  const examineOnce = useEffectEvent(() => {
    if (isToExamine(ids.serverId)) start();
  });
  // A server that was just saved is examined as soon as its page opens.
  useEffect(() => examineOnce(), []);
  useEffect(() => {
    if (isKnown) wasExamined(ids.serverId);
  }, [isKnown, ids.serverId]);
  const onSaved = () => {
    void navigate({
      to: '/projects/$projectId/servers/$serverId',
      params: ids,
      search: { section: 'doctor' },
    });
    start();
  };
  return (
    <PageFrame
      title={server.data?.name ?? 'Server'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} />}
    >
      <QueryView query={server}>
        {(found) => (
          <>
            <Sections ids={ids} current={section} />
            <Connection ids={ids} server={found} />
            {found.enabled && project.data && uses(found, project.data)}
            {section === 'settings' && (
              <QueryView query={project}>
                {({ role }) => <SettingsSection server={found} role={role} onSaved={onSaved} />}
              </QueryView>
            )}
            {section === 'doctor' && <DoctorSection doctor={doctor} ids={ids} />}
            {section === 'lint' && <LintSection ids={ids} />}
            {section === 'tools' && <ToolsSection ids={ids} item={item} />}
            {section === 'prompts' && <PromptsSection ids={ids} item={item} />}
            {section === 'resources' && <ResourcesSection ids={ids} item={item} />}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Connection({ ids, server }: { ids: ServerIds; server: ProjectServer }) {
  const call = useValidate(ids);
  const hasListed = useListedTools(ids) !== undefined;
  return (
    <section aria-label="Connection" className="connection">
      <div className="connection-line panel">
        <p role="status">
          {call.isPending ? (
            'Connecting…'
          ) : call.data !== undefined ? (
            <>
              <b className="tone-pass">Connected.</b> The server answered as MCP requires.
            </>
          ) : (
            <LastExamined server={server} hasListed={hasListed} />
          )}
        </p>
        <button type="button" disabled={call.isPending} onClick={() => call.start()}>
          Connect
        </button>
        {server.url !== null && <StartConformance ids={ids} />}
      </div>
      {call.error !== null && <CallFailure error={call.error} ids={ids} />}
      {call.data?.initInfo && (
        <details>
          <summary className="unfold-title">The server’s own description</summary>
          <ServerSent initInfo={call.data.initInfo} />
        </details>
      )}
    </section>
  );
}

function LastExamined({ server, hasListed }: { server: ProjectServer; hasListed: boolean }) {
  const { health, url } = server;
  if (health === undefined && hasListed) {
    return (
      <>
        <b className="tone-pass">Connected.</b> The server listed its tools.
      </>
    );
  }
  if (health === undefined) {
    return (
      <>
        Not examined yet{url === null ? '' : ': '}
        {url !== null && <span className="code">{url}</span>}
      </>
    );
  }
  return (
    <>
      <ServerHealthSign health={health} />, examined <InstantText atMs={health.checkedAt} />
      {health.status !== 'ready' && <>: it {serverHealthSentence(health)}</>}
    </>
  );
}

function LintSection({ ids }: { ids: ServerIds }) {
  const lint = useOperation('lintServer', { ...ids, body: {} }, readOnce);
  return (
    <section aria-labelledby="lint">
      <h2 id="lint">Lint of its tools</h2>
      <p className="hint">
        Names, descriptions and schemas as the server lists them now, with the failing trials of its
        newest completed run that they may explain.
      </p>
      <p>
        <button type="button" disabled={lint.isFetching} onClick={() => void lint.refetch()}>
          Check again
        </button>
      </p>
      <QueryView query={lint}>
        {(report) => <LintFindings projectId={ids.projectId} report={report} />}
      </QueryView>
    </section>
  );
}

function PromptsSection({ ids, item }: { ids: ServerIds; item: string | undefined }) {
  const prompts = usePrompts(ids);
  const chosen = prompts.items?.find((prompt) => prompt.name === item);
  return (
    <SplitSection
      title="Prompts"
      what="prompt"
      ids={ids}
      section="prompts"
      lists={[prompts]}
      item={item}
      detail={chosen && <PromptDetail key={chosen.name} prompt={chosen} ids={ids} />}
    >
      <Chooser
        ids={ids}
        section="prompts"
        what="prompts"
        list={prompts}
        choiceOf={(prompt: Prompt) => ({
          id: prompt.name,
          title: typeof prompt['title'] === 'string' ? prompt['title'] : undefined,
          description: prompt.description,
        })}
        empty="It says that it has prompts, and lists none."
      />
    </SplitSection>
  );
}

function Sections(props: { ids: ServerIds; current: Section }) {
  return (
    <nav className="sections" aria-label="Sections of this server">
      {sections.map((section) => (
        <Link
          key={section}
          to="/projects/$projectId/servers/$serverId"
          params={props.ids}
          search={{ section }}
          aria-current={section === props.current ? 'page' : undefined}
          resetScroll={false}
          data-name={sectionNames[section]}
        >
          {sectionNames[section]}
        </Link>
      ))}
    </nav>
  );
}

const sectionNames: Readonly<Record<Section, string>> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  doctor: 'Doctor',
  lint: 'Lint',
  settings: 'Settings',
};

/** A server's resources and resource templates. Any other URI can be typed and read too. */
function ResourcesSection(props: { ids: ServerIds; item: string | undefined }) {
  const { ids, item } = props;
  const resources = useResources(ids);
  const templates = useResourceTemplates(ids);
  const resource = resources.items?.find(({ uri }) => uri === item);
  const template = templates.items?.find(({ uriTemplate }) => uriTemplate === item);
  const shared = { ids, section: 'resources' } as const;
  return (
    <SplitSection
      title="Resources"
      what="resource"
      ids={ids}
      section="resources"
      lists={[resources, templates]}
      item={item}
      detail={
        item !== undefined && (
          <ResourceDetail key={item} uri={item} found={resource ?? template} ids={ids} />
        )
      }
    >
      <Chooser
        {...shared}
        what="resources"
        list={resources}
        choiceOf={({ uri, name, description }: Resource) => ({ id: uri, title: name, description })}
        empty="It lists none. Templates may still lead to some."
      />
      {resources.items !== undefined && (
        <>
          <h3 className="list-head">Templates</h3>
          <Chooser
            {...shared}
            what="resource templates"
            list={templates}
            choiceOf={({ uriTemplate, name, description }: ResourceTemplate) => ({
              id: uriTemplate,
              title: name,
              description,
            })}
            empty="It lists none."
          />
          {item === undefined && <ResourceDetail uri="" found={undefined} ids={ids} />}
        </>
      )}
    </SplitSection>
  );
}
