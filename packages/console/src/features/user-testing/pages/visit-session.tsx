import '../../../kit/styles/workbench.css';
import '../user-testing.css';
import { tierAllows, visitBounds } from '@proofmark/domain';
import { ratingWords } from '@proofmark/report';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useChange, useOperation } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { MakeCase } from '../../evals/index.ts';
import {
  type Transcript,
  useTranscript,
  useVisitorSessions,
  type VisitIds,
  type VisitorSession,
} from '../data/user-testing.ts';
import { sessionFacts } from '../link-words.ts';

const route = '/signed-in/projects/$projectId/user-testing/$scenarioId/sessions/$sessionId';

export function VisitSessionPage() {
  const ids = useParams({ from: route });
  const { projectId, scenarioId, sessionId } = ids;
  // The query omits the session id, because the service rejects unknown query fields.
  const place = { projectId, scenarioId };
  const scenario = useOperation('getScenario', place, { refetchOnWindowFocus: false });
  const { data: project } = useProject(projectId);
  const session = useVisitorSessions(place).data?.find(({ id }) => id === sessionId);
  const transcript = useTranscript(ids, mayGoOn(session));
  return (
    <PageFrame
      title={session?.visitor.displayName ?? 'Visit'}
      crumbs={
        <>
          <ProjectCrumbs projectId={projectId} section="user-testing" />
          {' / '}
          <Link
            to="/projects/$projectId/user-testing/$scenarioId"
            params={{ projectId, scenarioId }}
          >
            {scenario.data?.name ?? 'Published link'}
          </Link>
        </>
      }
      actions={tierAllows(project?.role, 'admin') ? <Delete ids={ids} /> : undefined}
    >
      {session && <Facts session={session} />}
      <QueryView query={transcript}>{(read) => <TranscriptMessages transcript={read} />}</QueryView>
      {tierAllows(project?.role, 'manage') && <CaseOfVisit ids={ids} />}
    </PageFrame>
  );
}

/**
 * Whether the session may continue. A silent visitor can write again until the idle limit ends the
 * conversation.
 */
function mayGoOn(session: VisitorSession | undefined): boolean {
  return session === undefined || Date.now() - session.lastActivityAt < visitBounds.idleMs;
}

function Facts({ session }: { session: VisitorSession }) {
  const { feedback } = session;
  return (
    <>
      <p className="hint">
        {sessionFacts(session)} · {ratingWords(feedback)}
      </p>
      {feedback.comment !== null && (
        <p className="panel">
          They added: <span className="foreign-text">{feedback.comment}</span>
        </p>
      )}
    </>
  );
}

function TranscriptMessages({ transcript }: { transcript: Transcript }) {
  const { messages } = transcript;
  if (transcript.transcriptUnavailable) {
    return <p className="panel">What was said cannot be read.</p>;
  }
  return (
    <section aria-labelledby="said">
      <h2 id="said">Conversation</h2>
      {messages.length === 0 && <p className="hint">No messages yet.</p>}
      <ol className="said-list" aria-live="polite">
        {messages.map(({ role, text, toolName }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end.
          <li key={at} data-role={role}>
            <span className="hint">{whoWords[role] ?? role}</span>
            <p>
              {toolName !== undefined && <bdi className="code">{toolName}</bdi>}
              {text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const whoWords: Readonly<Record<string, string>> = {
  user: 'Visitor',
  assistant: 'Assistant',
  tool: 'Tool',
};

function CaseOfVisit({ ids }: { ids: VisitIds }) {
  return (
    <div className="actions">
      <MakeCase
        projectId={ids.projectId}
        title="Make a case"
        source={{
          makeIn: (suiteId, title) =>
            client.createEvalCaseFromVisit({ ...ids, body: { suiteId, ...titled(title) } }),
        }}
        intro="What the visitor said becomes its steps, and is then kept as long as the suite. It has no checks until you add some: nobody said what would have been right."
        name={{ start: '', hint: 'Default: the names of the link and of the visitor.' }}
      />
    </div>
  );
}

function titled(title: string): { readonly title?: string } {
  return title === '' ? {} : { title };
}

function Delete({ ids }: { ids: VisitIds }) {
  const { projectId, scenarioId } = ids;
  const navigate = useNavigate();
  const remove = useChange('deleteUserTestingSession', ids, {
    leave: () => {
      notify('The conversation was deleted.');
      const to = '/projects/$projectId/user-testing/$scenarioId';
      return navigate({ to, params: { projectId, scenarioId } });
    },
    readAgain: [allBelow('getUserTestingScenario', ids)],
  });
  return (
    <DeleteEntity what="conversation" name="this conversation" remove={remove}>
      <p>What was said, its ratings and its excerpts in findings are gone. Counts stay.</p>
    </DeleteEntity>
  );
}
