import type { Organization } from '@proofmark/contract';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useWholeList } from '../../../kit/data/operations.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { InvitationTable } from '../invitation-table.tsx';
import { InviteMember } from '../invite-member.tsx';
import { MemberTable } from '../member-table.tsx';
import { OrganizationFrame } from '../organization-frame.tsx';

export function MembersPage() {
  const { organizationId } = useParams({
    from: '/signed-in/organizations/$organizationId/members',
  });
  const [inviting, setInviting] = useState(false);
  return (
    <OrganizationFrame
      organizationId={organizationId}
      title="Members"
      actions={() => (
        <button type="button" className="primary" onClick={() => setInviting(true)}>
          Invite somebody
        </button>
      )}
    >
      {(organization) => (
        <>
          <Members organization={organization} />
          <InvitationTable organization={organization} />
          {inviting && (
            <InviteMember organization={organization} onClose={() => setInviting(false)} />
          )}
        </>
      )}
    </OrganizationFrame>
  );
}

function Members({ organization }: { organization: Organization }) {
  const members = useWholeList('listMembers', { organizationId: organization.id, limit: 200 });
  return (
    <QueryView query={members}>
      {(all) => <MemberTable organizationId={organization.id} members={all} />}
    </QueryView>
  );
}
