/**
 * Every session of a run, grouped by target. All sessions are listed from the launch on, even those
 * not played yet.
 */
import { goalWord, playedSentence, targetName } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { keepPercent, type RunIds, StageStrip } from '../evals/index.ts';
import type { JourneyRun, JourneySession } from './data/journey-runs.ts';
import { adviceWords, sessionWords } from './session-words.ts';

type Attempt = NonNullable<JourneyRun['attempts']>[number];

export function SessionGrid(props: {
  ids: RunIds;
  run: JourneyRun;
  sessions: readonly JourneySession[];
  criteria: readonly { readonly id: string; readonly role: 'gating' | 'advisory' }[];
}) {
  const { ids, run, criteria } = props;
  const byId = new Map(props.sessions.map((session) => [session.id, session]));
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {run.targets.map((target) => {
        const summary = run.targetSummaries?.find((one) => one.targetId === target.targetId);
        return (
          <section key={target.targetId} aria-label={targetName(target)} className="target">
            <h3>
              <bdi>{targetName(target)}</bdi>
              <span className="hint">
                {` ${target.modelId}${summary === undefined ? '' : ` · ${playedSentence(summary)}`}`}
              </span>
            </h3>
            <ol className="session-grid">
              {(run.attempts ?? [])
                .filter(({ targetId }) => targetId === target.targetId)
                .map((attempt) => (
                  <li key={attempt.sessionIndex}>
                    <SessionCell
                      ids={ids}
                      attempt={attempt}
                      criteria={criteria}
                      session={attempt.sessionId === null ? undefined : byId.get(attempt.sessionId)}
                    />
                  </li>
                ))}
            </ol>
          </section>
        );
      })}
    </section>
  );
}

function SessionCell(props: {
  ids: RunIds;
  attempt: Attempt;
  session: JourneySession | undefined;
  criteria: Parameters<typeof adviceWords>[1];
}) {
  const { ids, attempt, session } = props;
  const advice = session && adviceWords(session.criteria, props.criteria);
  const goal = session?.goalScore ?? null;
  const { word, tone } = sessionWords(attempt, session, props.criteria);
  const name = `Session ${attempt.sessionIndex + 1}`;
  const { sessionId } = attempt;
  return (
    <article className="session">
      <p className="session-head">
        {sessionId === null ? (
          name
        ) : (
          <Link
            to="/projects/$projectId/journey-runs/$runId/sessions/$sessionId"
            params={{ ...ids, sessionId }}
          >
            {name}
          </Link>
        )}
        <b className={`tone-${tone}`}>{word}</b>
      </p>
      {session?.chain && (
        <StageStrip stages={session.chain.stageResults} status={session.outcome ?? 'running'} />
      )}
      {advice !== undefined && <p className="hint tone-hold">{advice}</p>}
      {goal !== null && <p className="hint">{keepPercent(`judge: ${goalWord(goal)}`)}</p>}
      {attempt.errorMessage !== null && <p className="hint">{attempt.errorMessage}</p>}
    </article>
  );
}
