import '../../kit/styles/use-server.css';
import type { EvalSuite } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { useRunSuites, useSuitesOf, useTestServer } from './data/first-suites.ts';
import { latestRunWords } from './runs/run-words.ts';

export function TestServer({ ids, serverName }: { ids: ServerIds; serverName: string }) {
  const suites = useSuitesOf(ids);
  const test = useTestServer(ids);
  const again = useRunSuites(ids.projectId);
  const problem = test.error ?? again.error;
  const leftOut = test.data?.leftOut ?? [];
  return (
    <section aria-labelledby="use-evals">
      <h2 id="use-evals" data-family="evals">
        Evals
      </h2>
      {suites === undefined ? (
        <p className="hint">Reading its suites…</p>
      ) : suites.length === 0 ? (
        <>
          <p className="hint">
            Two suites are made from its tools and run: prompts for the built-in model, and a
            contract without a model. Each tool that only reads is called with sample values.
          </p>
          <button
            type="button"
            className="primary"
            disabled={test.isPending}
            onClick={() => test.mutate(serverName)}
          >
            {test.isPending ? 'Calling its tools…' : 'Test it'}
          </button>
        </>
      ) : (
        <>
          <ul className="use-list">
            {suites.map((suite) => (
              <SuiteLine key={suite.id} projectId={ids.projectId} suite={suite} />
            ))}
          </ul>
          <button
            type="button"
            disabled={again.isPending || test.isPending}
            onClick={() => again.mutate(suites)}
          >
            {suites.length === 1 ? 'Run it' : 'Run all'}
          </button>
        </>
      )}
      {leftOut.length > 0 && (
        <details>
          <summary>{`Left out of the suites: ${count(leftOut.length, 'tool')}`}</summary>
          <ul className="plain-list">
            {leftOut.map(({ name, reason }) => (
              <li key={`${name} ${reason}`}>
                <code>{name}</code>
                {`: ${reason}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div role="alert">
        {problem !== null && <p className="form-problem">{problem.message}</p>}
      </div>
    </section>
  );
}

function SuiteLine({ projectId, suite }: { projectId: string; suite: EvalSuite }) {
  const { id: suiteId, name, latestRun } = suite;
  return (
    <li>
      <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
        <bdi>{name}</bdi>
      </Link>{' '}
      {latestRun === null ? (
        <span className="hint">not run yet</span>
      ) : (
        <Link
          to="/projects/$projectId/runs/$runId"
          params={{ projectId, runId: latestRun.id }}
          aria-label={`Latest run of ${name}: ${latestRunWords(latestRun).word}`}
        >
          <b className={`tone-${latestRunWords(latestRun).tone}`}>
            {latestRunWords(latestRun).word}
          </b>
        </Link>
      )}
    </li>
  );
}
