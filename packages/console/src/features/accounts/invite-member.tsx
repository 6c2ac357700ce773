/**
 * The dialog that creates an invitation and shows its link once. While the link is shown, only the
 * dialog's button closes it.
 */
import type { Organization } from '@proofmark/contract';
import type { OrganizationRole } from '@proofmark/domain';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../../kit/data/field-problems.ts';
import { useChange } from '../../kit/data/operations.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { OneTimeLinkShown } from './one-time-link-shown.tsx';
import { RoleField } from './role-field.tsx';

export function InviteMember(props: { organization: Organization; onClose: () => void }) {
  const { organization, onClose } = props;
  const invite = useChange('createInvitation', { organizationId: organization.id }, { gcTime: 0 });
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OrganizationRole>('member');
  if (invite.data !== undefined) {
    return (
      <OneTimeLinkShown
        title={`Invitation of ${invite.data.email}`}
        link={invite.data}
        onClose={onClose}
      >
        {invite.data.mailed ? 'It was mailed to them. ' : ''}Anyone who opens this link joins{' '}
        {organization.name} as {invite.data.email}.
      </OneTimeLinkShown>
    );
  }
  const problems = fieldProblems(invite.error);
  return (
    <Modal key="inviting" title={`Invite somebody to ${organization.name}`} onClose={onClose}>
      <Form
        label="Invite somebody"
        problem={formProblem(invite.error, ['email', 'role'])}
        attempt={invite.error}
        onSubmit={() => invite.isPending || invite.mutate({ email, role })}
        buttons={
          <>
            <button type="submit" className="primary" disabled={invite.isPending}>
              Make invitation
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </>
        }
      >
        <Field
          label="E-mail"
          hint="You get a link to send to them; it is mailed, too, where mail is set up."
          problem={problems['email']}
        >
          {(control) => (
            <input
              {...control}
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <RoleField
          label="Role"
          organization={organization}
          role={role}
          onChange={setRole}
          problem={problems['role']}
        />
      </Form>
    </Modal>
  );
}
