/**
 * The environments that use a part, such as a skill. The part can be deleted only when all of these
 * environments are archived.
 */
import type { ProjectEnvironment } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { useWholeList } from '../../kit/data/operations.ts';

export function UsedBy(props: {
  projectId: string;
  uses: (environment: ProjectEnvironment) => boolean;
  what: string;
}) {
  const { data } = useWholeList('listEnvironments', { projectId: props.projectId });
  const users = (data ?? []).filter(props.uses);
  if (data === undefined) return null;
  if (users.length === 0) return <p>No environment uses {props.what}. This cannot be undone.</p>;
  return (
    <>
      <p>
        {users.length === 1 ? '1 environment uses' : `${users.length} environments use`}{' '}
        {props.what}, so it cannot be deleted yet. Choose something else there, or archive{' '}
        {users.length === 1 ? 'it' : 'them'} first:
      </p>
      <ul className="used-by">
        {users.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/projects/$projectId/environments/$environmentId"
              params={{ projectId: props.projectId, environmentId: id }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
