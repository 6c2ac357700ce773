/** Offers only roles that the signed-in user may assign. */
import type { Organization } from '@proofmark/contract';
import type { OrganizationRole } from '@proofmark/domain';
import { Field } from '../../kit/field.tsx';
import { organizationRoleHints, organizationRoleWords, rolesToGive } from './role-words.ts';

export function RoleField(props: {
  label: string;
  organization: Organization;
  role: OrganizationRole;
  onChange: (role: OrganizationRole) => void;
  problem: string | undefined;
}) {
  const { label, organization, role, onChange, problem } = props;
  return (
    <Field label={label} hint={organizationRoleHints[role]} problem={problem}>
      {(control) => (
        <select
          {...control}
          value={role}
          onChange={(event) => onChange(event.target.value as OrganizationRole)}
        >
          {rolesToGive(organization.myRole).map((one) => (
            <option key={one} value={one}>
              {organizationRoleWords[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
