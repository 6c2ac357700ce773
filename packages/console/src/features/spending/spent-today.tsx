import { mayManageRole } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useOperation, useWholeList } from '../../kit/data/operations.ts';
import { amountText } from './spending-text.ts';

/** Only owners and admins may read the spending. */
export function useSpentToday(organizationId: string) {
  const { data: organizations = [] } = useWholeList('listOrganizations', {});
  const role = organizations.find(({ id }) => id === organizationId)?.myRole;
  const mayRead = role !== undefined && mayManageRole(role, 'member');
  const { data } = useOperation(
    'getOrganizationSpending',
    { organizationId },
    { enabled: mayRead },
  );
  const credits = data?.limits.find(({ name }) => name === 'credits');
  if (credits === undefined) return undefined;
  return (
    <Link to="/organizations/$organizationId/spending" params={{ organizationId }}>
      {amountText('credits', credits.used)}
    </Link>
  );
}
