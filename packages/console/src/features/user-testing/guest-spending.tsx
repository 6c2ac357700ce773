import type { BodyInputOf } from '@proofmark/contract';
import { useState } from 'react';
import { useChange } from '../../kit/data/operations.ts';
import { Checkbox, Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { notify } from '../../kit/notice.tsx';
import { linkOf } from './data/user-testing.ts';
import { creditWords } from './link-words.ts';
import type { SettingsProps } from './settings-props.ts';

type GuestBody = BodyInputOf<'setGuestExecution'>;

/**
 * Values for a link whose guest settings were never saved: everything is off. The API has three
 * fields about computers, but Proofmark starts none, so they have no effect.
 */
const never: GuestBody = {
  enabled: false,
  sharedSkillsEnabled: false,
  computerEnabled: false,
  dailyCreditCap: 0,
  dailyComputerStartCap: 0,
  maxConcurrentComputers: 0,
};

export function GuestSpending({ ids, scenario }: SettingsProps) {
  const saved: GuestBody = scenario.guestExecution ?? never;
  const [body, setBody] = useState(saved);
  const [cap, setCap] = useState(String(saved.dailyCreditCap));
  const set = useChange('setGuestExecution', ids, linkOf(ids));
  const dailyCreditCap = cap.trim() === '' ? Number.NaN : Number(cap);
  const isNumber = Number.isFinite(dailyCreditCap) && dailyCreditCap >= 0;
  const save = () => {
    const onSuccess = () => notify('Spending of guests saved.');
    if (isNumber) set.mutate({ ...body, dailyCreditCap }, { onSuccess });
  };
  return (
    <Form
      label="Spending of guests"
      problem={set.error?.message}
      attempt={set.error}
      onSubmit={save}
      buttons={
        <button type="submit" disabled={set.isPending}>
          Save spending of guests
        </button>
      }
    >
      <p className="hint">
        Guests are people without an account. A model without a price answers them in any case.
        Members of the project and invited people spend as the organization does.
      </p>
      <Checkbox
        label="Models with a price"
        checked={body.enabled}
        onChange={(enabled) => setBody({ ...body, enabled })}
      />
      <p className="hint" role="status">
        {`Spent or set aside today: ${creditWords(scenario.guestCreditsToday)} of ${saved.dailyCreditCap} credits.`}
      </p>
      <Field
        label="Credits a day"
        hint="All of them together; it begins anew at midnight UTC. 0 is none."
        problem={isNumber ? undefined : 'Write a number, 0 or more.'}
      >
        {(control) => (
          <input
            {...control}
            className="short"
            inputMode="decimal"
            value={cap}
            onChange={(event) => setCap(event.target.value)}
          />
        )}
      </Field>
      <Checkbox
        label="Skills of the project"
        checked={body.sharedSkillsEnabled}
        onChange={(sharedSkillsEnabled) => setBody({ ...body, sharedSkillsEnabled })}
      />
      <Checkbox
        label="Only tools that are marked as reading"
        checked={body.toolPolicy === 'readOnly'}
        onChange={(onlyReads) => setBody({ ...body, toolPolicy: onlyReads ? 'readOnly' : 'all' })}
      />
    </Form>
  );
}
