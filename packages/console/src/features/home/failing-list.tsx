import type { Home } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { InstantText } from '../../kit/instant-text.tsx';
import { mayHaveRunBefore, runBefore } from '../evals/index.ts';
import { moreWords, splitSentence, whyOfTrial } from './home-words.ts';

export function FailingList({ failing }: { failing: Home['failing'] }) {
  if (failing.total === 0) return null;
  return (
    <section aria-labelledby="home-failing">
      <h2 id="home-failing">Failing suites</h2>
      <ol className="home-list">
        {failing.items.map((run) => (
          <FailingRun key={run.runId} run={run} />
        ))}
      </ol>
      {moreWords(failing) !== undefined && <p className="hint">{moreWords(failing)}</p>}
    </section>
  );
}

function FailingRun({ run }: { run: Home['failing']['items'][number] }) {
  const { projectId, runId, first } = run;
  const { verdict, rest } = splitSentence(run.sentence);
  const why = first === null ? undefined : whyOfTrial(first);
  return (
    <li data-run={runId}>
      <span className="home-sign sign-fail" aria-hidden="true">
        ✕
      </span>
      <div>
        <p className="home-line">
          <Link to="/projects/$projectId/runs/$runId" params={{ projectId, runId }}>
            <bdi>{run.suiteName}</bdi>
            {`, run ${run.runNumber}`}
          </Link>
          <span className="hint">
            <bdi>{run.projectName}</bdi> · <InstantText atMs={run.completedAt ?? run.createdAt} />
          </span>
        </p>
        <p>
          <b className="tone-fail">{verdict}</b>
          {rest}.
        </p>
        {first !== null && (
          <p className="home-why">
            {why !== undefined && `${why} `}
            <Link
              to="/projects/$projectId/runs/$runId/trials/$trialId"
              params={{ projectId, runId, trialId: first.trialId }}
            >
              {first.title === null ? (
                'See the first trial'
              ) : (
                <>
                  See “<bdi>{first.title}</bdi>”
                </>
              )}
            </Link>
          </p>
        )}
        {mayHaveRunBefore(run) && (
          <p className="home-why">
            <Link
              to="/projects/$projectId/runs/$runId/compare/$baseRunId"
              params={{ projectId, runId, baseRunId: runBefore }}
            >
              See what changed since the run before
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}
