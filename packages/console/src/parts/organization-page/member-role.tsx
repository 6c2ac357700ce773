import type { Member, Organization } from '@proofmark/contract';
import type { OrganizationRole } from '@proofmark/domain';
import { useState } from 'react';
import { fieldProblems, formProblem } from '../../data/field-problems.ts';
import { useUpdateMember } from '../../data/members.ts';
import {
  organizationRoleHints,
  organizationRoleWords,
  rolesToGive,
} from '../../organizations/role-words.ts';
import { Field } from '../field.tsx';
import { Form } from '../form.tsx';
import { notify } from '../notice.tsx';

export function MemberRole(props: { organization: Organization; member: Member }) {
  const { organization, member } = props;
  const ids = { organizationId: organization.id, accountId: member.accountId };
  const update = useUpdateMember(ids);
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
        <Field
          label={`In ${organization.name}`}
          hint={organizationRoleHints[role]}
          problem={fieldProblems(update.error)['role']}
        >
          {(control) => (
            <select
              {...control}
              value={role}
              onChange={(event) => setRole(event.target.value as OrganizationRole)}
            >
              {rolesToGive(organization.myRole).map((one) => (
                <option key={one} value={one}>
                  {organizationRoleWords[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Form>
    </section>
  );
}
