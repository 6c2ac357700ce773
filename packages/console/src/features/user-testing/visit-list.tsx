/** Sessions as they happen, whoever spoke last first. */
import { Link } from '@tanstack/react-router';
import { InstantText } from '../../kit/instant-text.tsx';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { type ScenarioIds, useVisitorSessions } from './data/user-testing.ts';
import { ratingWords, sessionFacts } from './link-words.ts';

export function VisitList({ ids }: { ids: ScenarioIds }) {
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
                      {session.preview || 'Without words'}
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
