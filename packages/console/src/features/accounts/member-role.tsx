import type { Member, Organization } from '@proofmark/contract';
import { isRise, type OrganizationRole } from '@proofmark/domain';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../../kit/data/field-problems.ts';
import { useChange } from '../../kit/data/operations.ts';
import { Form } from '../../kit/form.tsx';
import { notify } from '../../kit/notice.tsx';
import { RoleField } from './role-field.tsx';
import { organizationRoleWords } from './role-words.ts';

const whatARiseEnds =
  'Whoever never proved their address by single sign-on loses password, sessions and keys with a higher role. Reset their password afterwards, and send them the link.';

export function MemberRole(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const update = useChange('updateMember', ids);
  const [role, setRole] = useState<OrganizationRole>(member.role);
  const submit = () => {
    if (update.isPending) return;
    const onSuccess = () => notify(`${member.email} is now ${organizationRoleWords[role]}.`);
    update.mutate({ role }, { onSuccess });
  };
  return (
    <section aria-labelledby="role">
      <h2 id="role">Role</h2>
      <Form
        label="Role"
        problem={formProblem(update.error, ['role'])}
        attempt={update.error}
        onSubmit={submit}
        buttons={
          <button
            type="submit"
            className="primary"
            disabled={role === member.role || update.isPending}
          >
            Save role
          </button>
        }
      >
        <RoleField
          label={`In ${organization.name}`}
          organization={organization}
          role={role}
          onChange={setRole}
          problem={fieldProblems(update.error)['role']}
        />
        {isRise(member.role, role) && <p className="hint">{whatARiseEnds}</p>}
      </Form>
    </section>
  );
}
