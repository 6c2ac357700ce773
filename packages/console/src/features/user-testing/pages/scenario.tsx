import '../../../kit/styles/workbench.css';
import '../../../kit/styles/insights.css';
import '../user-testing.css';
import type { ScenarioDetail } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { ratingWords } from '@proofmark/report';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CopyText } from '../../../kit/copy-text.tsx';
import { useOperation } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { notify } from '../../../kit/notice.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { type ScenarioIds, useUnpublish, useVisitorSessions } from '../data/user-testing.ts';
import { modeWords, onlyHere, sessionFacts } from '../link-words.ts';
import { ScenarioFindings } from '../scenario-findings.tsx';
import { ScenarioNumbers } from '../scenario-numbers.tsx';
import { ScenarioSettings } from '../scenario-settings.tsx';
import { scenarioSectionNames, scenarioSections } from '../sections.ts';

const route = '/signed-in/projects/$projectId/user-testing/$scenarioId';

export function ScenarioPage() {
  const ids = useParams({ from: route });
  const { section } = useSearch({ from: route });
  const scenario = useOperation('getScenario', ids, { refetchOnWindowFocus: false });
  const { data: project } = useProject(ids.projectId);
  const isAdmin = tierAllows(project?.role, 'admin');
  return (
    <PageFrame
      title={scenario.data?.name ?? 'Published link'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="user-testing" />}
      intro={scenario.data?.description || undefined}
      actions={
        isAdmin && scenario.data ? <Unpublish ids={ids} scenario={scenario.data} /> : undefined
      }
    >
      <QueryView query={scenario}>
        {(found) => (
          <>
            <TheLink scenario={found} />
            <Sections ids={ids} />
            {section === undefined && <VisitList ids={ids} />}
            {section === 'findings' && <ScenarioFindings ids={ids} />}
            {section === 'numbers' && <ScenarioNumbers ids={ids} />}
            {section === 'settings' && project && (
              <ScenarioSettings ids={ids} scenario={found} role={project.role} />
            )}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function TheLink({ scenario }: { scenario: ScenarioDetail }) {
  const { link, mode, modelId, serverNames, credentialedServerNames, environmentError } = scenario;
  return (
    <div className="panel the-link">
      {link !== null && (
        <>
          <CopyText text={link.url} label="Copy the link" />
          {onlyHere(link.url) && (
            <p className="hint">
              Only this machine can open it. The operator sets PROOFMARK_PUBLIC_URL to the address
              at which others reach the service.
            </p>
          )}
          <p>
            <a href={`${link.path}?preview`} target="_blank" rel="noopener noreferrer">
              Preview
            </a>{' '}
            <span className="hint">opens the page as visitors see it, and is counted nowhere.</span>
          </p>
        </>
      )}
      <p className="hint">
        {mode !== null && `${modeWords[mode]} may open it. `}
        {modelId !== null &&
          `Answered by ${modelId}, with ${serverNames.join(', ') || 'no server'}.`}
        {credentialedServerNames.length > 0 &&
          ` Visitors act with saved credentials on ${credentialedServerNames.join(', ')}.`}
      </p>
      {environmentError && (
        <p className="form-problem">Visitors are turned away: {environmentError.message}</p>
      )}
    </div>
  );
}

function Sections({ ids }: { ids: ScenarioIds }) {
  return (
    <nav className="sections" aria-label="Sections of this link">
      {scenarioSections.map((section) => (
        <Link
          key={section}
          to="/projects/$projectId/user-testing/$scenarioId"
          params={{ ...ids }}
          search={section === 'visits' ? {} : { section }}
          activeOptions={{ exact: section === 'visits', includeSearch: true }}
          resetScroll={false}
          data-name={scenarioSectionNames[section]}
        >
          {scenarioSectionNames[section]}
        </Link>
      ))}
    </nav>
  );
}

function Unpublish({ ids, scenario }: { ids: ScenarioIds; scenario: ScenarioDetail }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const unpublish = useUnpublish(projectId, scenario.environmentId, () => {
    notify(`${scenario.name} is closed.`);
    const search = { section: 'user-testing' as const };
    return navigate({ to: '/projects/$projectId', params: { projectId }, search });
  });
  return (
    <DeleteEntity verb="Unpublish" what="link" name={scenario.name} remove={unpublish}>
      <p>
        The link stops working at once, also for visitors who are talking. It cannot be opened
        again.
      </p>
      <p>Admins can read its conversations over the API until they are removed after 30 days.</p>
    </DeleteEntity>
  );
}

function VisitList({ ids }: { ids: ScenarioIds }) {
  const sessions = useVisitorSessions(ids);
  return (
    <section aria-labelledby="visits">
      <h2 id="visits">Visits</h2>
      <QueryView query={sessions}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nobody has said anything yet">
              <p>Send the link to people. What they say shows up here while they say it.</p>
            </Empty>
          ) : (
            <>
              <ul className="visits">
                {all.map((session) => (
                  <li key={session.id}>
                    <Link
                      to="/projects/$projectId/user-testing/$scenarioId/sessions/$sessionId"
                      params={{ ...ids, sessionId: session.id }}
                      className="foreign-text"
                    >
                      {session.preview || 'No text'}
                    </Link>
                    <p className="hint">
                      {sessionFacts(session)} · {ratingWords(session.feedback)} ·{' '}
                      <InstantText atMs={session.lastActivityAt} />
                    </p>
                  </li>
                ))}
              </ul>
              {sessions.hasNextPage && (
                <button
                  type="button"
                  disabled={sessions.isFetchingNextPage}
                  onClick={() => void sessions.fetchNextPage()}
                >
                  {sessions.isFetchingNextPage ? 'Loading…' : 'Load more visits'}
                </button>
              )}
            </>
          )
        }
      </QueryView>
    </section>
  );
}
