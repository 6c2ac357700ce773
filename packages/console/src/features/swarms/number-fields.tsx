/**
 * The fields for the number of sessions and for the maximum number of turns in a conversation. They
 * are saved together.
 */
import { DraftNumber } from '../../kit/changes/draft-fields.tsx';
import type { DraftFormProps } from './draft-form-props.ts';

export function NumberFields(props: DraftFormProps) {
  return (
    <>
      <DraftNumber
        {...props}
        field="sessionsPerTarget"
        label="Sessions on each target"
        hint="Each is one conversation, 1 to 100."
      />
      <DraftNumber
        {...props}
        field="maxTurns"
        label="Max turns of a session"
        hint="What the simulated user says at most, 1 to 200 times."
      />
    </>
  );
}
