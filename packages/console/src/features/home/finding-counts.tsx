import type { Home } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';

type Counts = Home['findings']['items'][number];

export function FindingCounts({ findings }: { findings: Home['findings'] }) {
  if (findings.total === 0) return null;
  return (
    <section aria-labelledby="home-findings">
      <h2 id="home-findings">Open findings</h2>
      <ul className="home-plain">
        {findings.items.map((counts) => (
          <li key={counts.projectId}>
            <bdi>{counts.projectName}</bdi>: <FindingLinks counts={counts} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function FindingLinks({ counts }: { counts: Counts }) {
  const { projectId, ofSwarms, ofVisitors } = counts;
  return (
    <>
      {ofSwarms > 0 && (
        <Link
          to="/projects/$projectId"
          params={{ projectId }}
          search={{ section: 'swarms' }}
          data-family="swarms"
        >
          {`${count(ofSwarms, 'finding')} of swarms`}
        </Link>
      )}
      {ofSwarms > 0 && ofVisitors > 0 && ', '}
      {ofVisitors > 0 && (
        <Link
          to="/projects/$projectId"
          params={{ projectId }}
          search={{ section: 'user-testing' }}
          data-family="user-testing"
        >
          {`${count(ofVisitors, 'finding')} of visitors`}
        </Link>
      )}
    </>
  );
}
