import { DraftText } from '../../kit/changes/draft-fields.tsx';
import type { DraftFormProps } from './draft-form-props.ts';

export function PersonaFields(props: DraftFormProps) {
  return (
    <>
      <DraftText {...props} field="name" label="Name" />
      <DraftText
        {...props}
        field="role"
        label="Role"
        hint="Who the user is, in a few words: hurried manager, careful auditor."
      />
      <DraftText
        {...props}
        field="notes"
        label="Notes"
        hint="What else is known of them, and what they know: “Order: 4711”. The simulated user sees this."
        rows={4}
      />
    </>
  );
}
