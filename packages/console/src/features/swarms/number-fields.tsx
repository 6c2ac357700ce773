import { DraftNumber } from '../../kit/changes/draft-fields.tsx';
import type { DraftFormProps } from './draft-form-props.ts';

export function NumberFields(props: DraftFormProps) {
  return (
    <>
      <DraftNumber
        {...props}
        field="sessionsPerTarget"
        label="Sessions on each target"
        hint="From 1 to 100; each session is one conversation."
      />
      <DraftNumber
        {...props}
        field="maxTurns"
        label="Max turns of a session"
        hint="The most messages that the simulated user may send, 1 to 200."
      />
    </>
  );
}
