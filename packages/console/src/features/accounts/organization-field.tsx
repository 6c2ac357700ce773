import type { Organization } from '@proofmark/contract';
import { Field } from '../../kit/field.tsx';

export function OrganizationField(props: {
  organizations: readonly Organization[];
  value: string;
  problem: string | undefined;
  onChange: (organizationId: string) => void;
}) {
  return (
    <Field label="Organization" problem={props.problem}>
      {(control) => (
        <select
          {...control}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        >
          {props.organizations.map((organization) => (
            <option key={organization.id} value={organization.id}>
              {organization.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
