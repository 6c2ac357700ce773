import type { ProjectEnvironment } from '@proofmark/contract';
import { DraftText } from '../../kit/changes/draft-fields.tsx';
import type { DraftFormProps } from './draft-form-props.ts';
import { NumberFields } from './number-fields.tsx';
import { SeveralField } from './several-field.tsx';

export function SwarmFields(
  props: DraftFormProps & { environments: readonly ProjectEnvironment[] },
) {
  return (
    <>
      <DraftText {...props} field="name" label="Name" />
      <DraftText {...props} field="description" label="Description" rows={2} />
      <SeveralField
        {...props}
        field="environmentIds"
        legend="Environments"
        hint="A new journey of this swarm starts with these, and with the numbers below."
        none="This project has no environments."
        options={props.environments}
      />
      <NumberFields {...props} />
    </>
  );
}
