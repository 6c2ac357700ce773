import { mayManageRole } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useOperation, useWholeList } from '../../kit/data/operations.ts';
import { amountText } from './spending-text.ts';

/**
 * Returns what the organization of a project spent today as a fact, for those who may read it: its
 * owners and admins.
 */
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
