/** Renders nothing if there are no pending invitations. */
import type { Invitation, Organization } from '@proofmark/contract';
import { useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { useChange, useWholeList } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { notify } from '../../kit/notice.tsx';
import { organizationRoleWords } from './role-words.ts';

export function InvitationTable({ organization }: { organization: Organization }) {
  const { data: invitations = [] } = useWholeList('listInvitations', {
    organizationId: organization.id,
    limit: 200,
  });
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  if (invitations.length === 0) return null;
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invited</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">E-mail</th>
            <th scope="col">Role</th>
            <th scope="col">Invited by</th>
            <th scope="col">Link expires</th>
            <th scope="col">
              <span className="unseen">Withdraw</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <tr key={invitation.id} className={invitation.isOpen ? undefined : 'over'}>
              <th scope="row">{invitation.email}</th>
              <td data-label="Role">{organizationRoleWords[invitation.role]}</td>
              <td data-label="Invited by">{invitation.invitedBy ?? 'the operator'}</td>
              <td data-label="Link expires">
                <InstantText atMs={invitation.expiresAt} />
                {!invitation.isOpen && <span className="tag">over</span>}
              </td>
              <td data-label="">
                <button
                  type="button"
                  className="small"
                  aria-label={`Withdraw the invitation of ${invitation.email}`}
                  onClick={() => setWithdrawing(invitation)}
                >
                  Withdraw
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {withdrawing !== undefined && (
        <WithdrawInvitation
          organizationId={organization.id}
          invitation={withdrawing}
          onClose={() => setWithdrawing(undefined)}
        />
      )}
    </section>
  );
}

function WithdrawInvitation(props: {
  organizationId: string;
  invitation: Invitation;
  onClose: () => void;
}) {
  const withdraw = useChange('withdrawInvitation', (invitationId: string) => ({
    organizationId: props.organizationId,
    invitationId,
  }));
  const { id, email } = props.invitation;
  const onSuccess = () => {
    notify(`Invitation of ${email} withdrawn.`);
    props.onClose();
  };
  return (
    <Confirm
      title={`Withdraw the invitation of ${email}?`}
      action="Withdraw invitation"
      busy={withdraw.isPending}
      error={withdraw.error}
      onClose={props.onClose}
      onConfirm={() => withdraw.mutate(id, { onSuccess })}
    >
      <p>The link that was sent ends at once.</p>
    </Confirm>
  );
}
