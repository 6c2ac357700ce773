/**
 * Links the first three users of a part, such as the environments that use a skill, and shows how
 * many more there are.
 */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UserOfPart } from './data/set-up-users.ts';

const named = 3;

export function UsedByCell(props: {
  projectId: string;
  /** Undefined until the users are loaded. */
  users: readonly UserOfPart[] | undefined;
}) {
  const { projectId, users } = props;
  if (users === undefined) return <td data-label="Used by">…</td>;
  if (users.length === 0) return <td data-label="Used by">nothing</td>;
  const more = users.length - named;
  return (
    <td data-label="Used by">
      <span>
        {users.slice(0, named).map((user, index) => (
          <span key={user.id}>
            {index > 0 && ', '}
            <UserLink projectId={projectId} user={user}>
              <bdi>{user.name}</bdi>
            </UserLink>
          </span>
        ))}
        {more > 0 && ` and ${more} more`}
      </span>
    </td>
  );
}

function UserLink(props: { projectId: string; user: UserOfPart; children: ReactNode }) {
  const { projectId, user, children } = props;
  switch (user.kind) {
    case 'environment':
      return (
        <Link
          to="/projects/$projectId/environments/$environmentId"
          params={{ projectId, environmentId: user.id }}
        >
          {children}
        </Link>
      );
    case 'suite':
      return (
        <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId: user.id }}>
          {children}
        </Link>
      );
    case 'journey':
      return (
        <Link
          to="/projects/$projectId/journeys/$journeyId"
          params={{ projectId, journeyId: user.id }}
        >
          {children}
        </Link>
      );
    case 'link':
      return (
        <Link
          to="/projects/$projectId/user-testing/$scenarioId"
          params={{ projectId, scenarioId: user.id }}
        >
          {children}
        </Link>
      );
  }
}
