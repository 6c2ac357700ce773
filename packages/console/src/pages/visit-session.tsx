/** What one visitor said and was told, as text; making a case of it, and deleting it. */
import '../styles/workbench.css';
import '../styles/user-testing.css';
import { tierAllows, visitBounds } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useEvalSuites } from '../data/eval-suites.ts';
import { useProject } from '../data/projects.ts';
import {
  type Transcript,
  useCaseOfVisit,
  useDeleteVisit,
  useScenario,
  useTranscript,
  useVisitorSessions,
  type VisitIds,
  type VisitorSession,
} from '../data/user-testing.ts';
import { DeleteEntity } from '../parts/delete-entity.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { notify } from '../parts/notice.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { ratingWords, sessionFacts } from '../user-testing/link-words.ts';

const route = '/signed-in/projects/$projectId/user-testing/$scenarioId/sessions/$sessionId';

export function VisitSessionPage() {
  const ids = useParams({ from: route });
  const { projectId, scenarioId, sessionId } = ids;
  // What else they are given would be sent along, and refused.
  const place = { projectId, scenarioId };
  const scenario = useScenario(place);
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
      width="narrow"
      actions={tierAllows(project?.role, 'admin') ? <Delete ids={ids} /> : undefined}
    >
      {session && <Facts session={session} />}
      <QueryView query={transcript}>{(read) => <Said transcript={read} />}</QueryView>
      {tierAllows(project?.role, 'manage') && <MakeCase ids={ids} />}
    </PageFrame>
  );
}

/** Whoever was silent for a while may still say more, until the conversation ends by itself. */
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

function Said({ transcript }: { transcript: Transcript }) {
  const { messages } = transcript;
  if (transcript.transcriptUnavailable) {
    return <p className="panel">What was said cannot be read.</p>;
  }
  return (
    <section aria-labelledby="said">
      <h2 id="said">What was said</h2>
      {messages.length === 0 && <p className="hint">Nothing is kept of it yet.</p>}
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

function MakeCase({ ids }: { ids: VisitIds }) {
  const { projectId } = ids;
  const [chosen, setChosen] = useState('');
  const [title, setTitle] = useState('');
  const make = useCaseOfVisit(ids);
  return (
    <section aria-labelledby="case">
      <h2 id="case">Make an eval case of it</h2>
      <p className="hint">
        What the visitor said becomes its steps, and is then kept as long as the suite. It has no
        checks until you add some: nobody said what would have been right.
      </p>
      <QueryView query={useEvalSuites(projectId)}>
        {(suites) => {
          const suiteId = chosen || (suites[0]?.id ?? '');
          if (suiteId === '')
            return <p className="hint">There is no suite yet. Create one first.</p>;
          const onSuccess = ({ title }: { title: string }) => notify(`Case ${title} created.`);
          return (
            <Form
              label="Make an eval case of it"
              problem={make.error?.message}
              attempt={make.error}
              onSubmit={() => make.mutate({ suiteId, ...titled(title) }, { onSuccess })}
              buttons={
                <>
                  <button type="submit" disabled={make.isPending}>
                    Make a case
                  </button>
                  {make.data && (
                    <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
                      Open the suite
                    </Link>
                  )}
                </>
              }
            >
              <Field label="Suite">
                {(control) => (
                  <select
                    {...control}
                    value={suiteId}
                    onChange={(event) => setChosen(event.target.value)}
                  >
                    {suites.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <Field label="Title" hint="Left empty, it names the link and the visitor.">
                {(control) => (
                  <input
                    {...control}
                    value={title}
                    onChange={(event) => setTitle(event.target.value)}
                  />
                )}
              </Field>
            </Form>
          );
        }}
      </QueryView>
    </section>
  );
}

function titled(title: string): { readonly title?: string } {
  return title.trim() === '' ? {} : { title: title.trim() };
}

function Delete({ ids }: { ids: VisitIds }) {
  const { projectId, scenarioId } = ids;
  const navigate = useNavigate();
  const remove = useDeleteVisit(ids, () => {
    notify('The conversation was deleted.');
    const to = '/projects/$projectId/user-testing/$scenarioId';
    return navigate({ to, params: { projectId, scenarioId } });
  });
  return (
    <DeleteEntity what="conversation" name="this conversation" remove={remove}>
      <p>What was said, its ratings and its excerpts in findings are gone. Counts stay.</p>
    </DeleteEntity>
  );
}
