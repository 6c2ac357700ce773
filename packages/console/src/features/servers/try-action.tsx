import type { WidgetAction } from '@proofmark/domain';
import { useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import {
  actionKinds,
  firstTry,
  locators,
  locatorWords,
  needsTarget,
  readTried,
  type TriedAction,
  triedActionWords,
} from './tried-action.ts';

const textLabels = { type: 'Text to type', key: 'Key', wait: 'Milliseconds' } as const;

export function TryAction({ onTry }: { onTry: (action: WidgetAction) => void }) {
  const [tried, setTried] = useState(firstTry);
  const [attempt, setAttempt] = useState(0);
  const [isMissing, setMissing] = useState(false);
  const change = (part: Partial<TriedAction>) => {
    setMissing(false);
    setTried({ ...tried, ...part });
  };
  const send = () => {
    const action = readTried(tried);
    setAttempt(attempt + 1);
    setMissing(action === undefined);
    if (action !== undefined) onTry(action);
  };
  const { kind, locator } = tried;
  const label = kind in textLabels ? textLabels[kind as keyof typeof textLabels] : undefined;
  return (
    <Form
      label="Try a step"
      problem={isMissing ? 'Not tried: a field of the step is missing.' : undefined}
      attempt={attempt}
      onSubmit={send}
      buttons={<button type="submit">Try the step</button>}
    >
      <div className="widget-try">
        <Choice
          label="Do"
          value={kind}
          choices={actionKinds}
          words={triedActionWords}
          onChange={(next) => change({ kind: next })}
        />
        {needsTarget(tried) && (
          <>
            <Choice
              label="Found by"
              value={locator}
              choices={locators}
              words={locatorWords}
              onChange={(next) => change({ locator: next })}
            />
            <Field
              label={locatorWords[locator]}
              {...(locator === 'role' && { hint: 'Such as: button Place order' })}
            >
              {(control) => (
                <input
                  {...control}
                  value={tried.target}
                  onChange={({ target }) => change({ target: target.value })}
                />
              )}
            </Field>
          </>
        )}
        {label !== undefined && (
          <Field label={label}>
            {(control) => (
              <input
                {...control}
                value={tried.text}
                onChange={({ target }) => change({ text: target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </Form>
  );
}

function Choice<Value extends string>(props: {
  label: string;
  value: Value;
  choices: readonly Value[];
  words: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}) {
  return (
    <Field label={props.label}>
      {(control) => (
        <select
          {...control}
          value={props.value}
          onChange={({ target }) => props.onChange(target.value as Value)}
        >
          {props.choices.map((choice) => (
            <option key={choice} value={choice}>
              {props.words[choice]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
