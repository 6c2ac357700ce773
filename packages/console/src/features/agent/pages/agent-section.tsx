import '../agent.css';
import { ApiError } from '@proofmark/client';
import { operations, type Project } from '@proofmark/contract';
import { type AgentMessage, isAgentOperation } from '@proofmark/domain';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { readAgain } from '../../../kit/data/operations.ts';
import { useServerCall } from '../../../kit/data/server-call.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import {
  type AgentAnswer,
  type AskedTurn,
  type CreatedResource,
  createdBefore,
  messagesFor,
} from '../conversation.ts';

export function AgentSection({ project }: { project: Project }) {
  const [turns, setTurns] = useState<readonly AskedTurn[]>([]);
  const [question, setQuestion] = useState('');
  const asked = useRef('');
  const turn = useAgentTurn(project.id, (answer) => {
    setTurns((before) => [...before, { question: asked.current, answer }]);
    setQuestion('');
  });
  const submit = () => {
    if (question.trim() === '' || turn.isPending) return;
    asked.current = question.trim();
    turn.start(messagesFor(turns, asked.current));
  };
  const made = turn.error instanceof ApiError ? createdBefore(turn.error.details) : [];
  return (
    <section aria-labelledby="agent">
      <h2 id="agent">Agent</h2>
      <p className="hint">
        It reads the servers, suites and runs of this project and can create suites. It starts no
        run and changes nothing else. What you say here is not stored.
      </p>
      <ol className="turns" aria-live="polite">
        {turns.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added, and stay in their order.
          <li key={index}>
            <Turn turn={one} projectId={project.id} />
          </li>
        ))}
      </ol>
      <Form
        label="Ask the agent"
        problem={turn.error?.message}
        attempt={turn.error}
        onSubmit={submit}
        buttons={
          <>
            <button type="submit" className="primary" disabled={turn.isPending}>
              {turn.isPending ? 'Asking…' : 'Ask'}
            </button>
            {turn.isPending && (
              <button type="button" onClick={turn.stop}>
                Stop
              </button>
            )}
          </>
        }
      >
        <Field
          label="Your request"
          hint="For example: which run failed last, and why? What changed since it passed? Create a suite called “smoke” for server “Sample bookshop”."
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              value={question}
              onChange={(event) => setQuestion(event.target.value)}
            />
          )}
        </Field>
        <Made created={made} projectId={project.id} />
      </Form>
    </section>
  );
}

function Turn({ turn, projectId }: { turn: AskedTurn; projectId: string }) {
  const { question, answer } = turn;
  return (
    <article className="panel">
      <p className="asked">{question}</p>
      <p className="reply">{answer.reply}</p>
      <Made created={answer.createdResources} projectId={projectId} />
      <p className="hint">{howAnswered(answer)}</p>
    </article>
  );
}

/** Links to the suites that the agent created. The reply itself is plain text without links. */
function Made(props: { created: readonly CreatedResource[]; projectId: string }) {
  if (props.created.length === 0) return null;
  return (
    <p>
      Made:{' '}
      {props.created.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            to="/projects/$projectId/suites/$suiteId"
            params={{ projectId: props.projectId, suiteId: id }}
          >
            the suite {name}
          </Link>
        </span>
      ))}
    </p>
  );
}

function howAnswered({ toolCalls, model, usage, stopped }: AgentAnswer): string {
  const read = toolCalls.map(({ operation }) =>
    isAgentOperation(operation) ? operations[operation].summary : operation,
  );
  const called = read.length === 0 ? 'It called nothing' : `It called: ${read.join('; ')}`;
  const tokens = usage.inputTokens + usage.outputTokens;
  const ended = stopped === undefined ? '' : ' It used up its steps before it was done.';
  return `${called}. Answered by ${model}, ${tokens} tokens.${ended}`;
}

/**
 * Runs one turn of the agent at a time. Lists are reloaded even after a failed turn, because the
 * turn may have created resources before it failed.
 */
function useAgentTurn(projectId: string, onAnswer: (answer: Answer) => void) {
  const cache = useQueryClient();
  return useServerCall(async (messages: AgentMessage[], signal) => {
    try {
      const answer = await client.runAgentTurn({ projectId, body: { messages } }, { signal });
      onAnswer(answer);
      return answer;
    } finally {
      await readAgain(cache, [allBelow('listEvalSuites', { projectId })]);
    }
  });
}

type Answer = Awaited<ReturnType<typeof client.runAgentTurn>>;
