import type { Member, Organization } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { useChange } from '../../kit/data/operations.ts';
import { notify } from '../../kit/notice.tsx';

export function RemoveMember(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const remove = useChange('removeMember', ids, {
    leave: () => {
      notify(`${member.email} removed.`);
      const params = { organizationId: organization.id };
      return navigate({ to: '/organizations/$organizationId/members', params });
    },
  });
  return (
    <section aria-labelledby="remove">
      <h2 id="remove">Remove</h2>
      <p className="hint">
        Takes {member.isMe ? 'you' : 'them'} out of {organization.name}. What was made here stays.
      </p>
      <div className="actions">
        <button type="button" className="danger" onClick={() => setAsking(true)}>
          Remove member
        </button>
      </div>
      {asking && (
        <Confirm
          title={`Remove ${member.email}?`}
          action="Remove member"
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          <p>
            Their sessions end at once, their keys of {organization.name} are revoked for good, and
            what projects granted them is gone.
          </p>
        </Confirm>
      )}
    </section>
  );
}
