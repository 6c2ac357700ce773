import { isRecord } from '@proofmark/domain';
import { useState } from 'react';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { Field } from '../../../kit/field.tsx';
import { AssertionFields } from './assertion-fields.tsx';
import { CallFields, ServerField } from './call-fields.tsx';
import { moved, newStep, type StepKind } from './case-draft.ts';
import type { CaseForm } from './case-form.ts';
import { listAt, ValueJson, ValueText } from './value-fields.tsx';

const kindWords: Readonly<Record<StepKind, string>> = {
  prompt: 'Say something to the model',
  toolCall: 'Call a tool, without a model',
  assert: 'Check what was seen so far',
  getPrompt: 'Use a prompt of a server',
  readResource: 'Read a resource of a server',
  interact: 'Act in a widget',
};

export function StepFields({ form }: { form: CaseForm }) {
  const steps = listAt(form, ['steps']);
  const keep = (next: readonly unknown[], fresh?: ArgumentPath) =>
    form.arrange(['steps'], next, fresh);
  return (
    <fieldset className="parts">
      <legend>Steps</legend>
      <p className="hint">The steps of a trial, in their order.</p>
      {form.problems['steps'] !== undefined && <p className="problem">{form.problems['steps']}</p>}
      <ol className="step-list">
        {steps.map((step, at) => (
          <li className="part" key={`${form.draft.generation} ${stepKey(step, at)}`}>
            <p className="part-head">
              <b>{`Step ${at + 1}`}</b> <span className="hint">{wordsOf(step)}</span>
            </p>
            <OneStep form={form} path={['steps', at]} kind={kindOf(step)} number={at + 1} />
            <div className="part-buttons">
              <button
                type="button"
                className="small"
                disabled={at === 0}
                aria-label={`Move step ${at + 1} up`}
                onClick={() => keep(moved(steps, at, -1))}
              >
                Up
              </button>
              <button
                type="button"
                className="small"
                disabled={at === steps.length - 1}
                aria-label={`Move step ${at + 1} down`}
                onClick={() => keep(moved(steps, at, 1))}
              >
                Down
              </button>
              <button
                type="button"
                className="small"
                aria-label={`Remove step ${at + 1}`}
                onClick={() => keep(steps.filter((_, index) => index !== at))}
              >
                Remove
              </button>
            </div>
          </li>
        ))}
      </ol>
      <AddStep
        form={form}
        onAdd={(kind) =>
          keep([...steps, newStep(kind, steps, only(form))], ['steps', steps.length])
        }
      />
    </fieldset>
  );
}

function AddStep({ form, onAdd }: { form: CaseForm; onAdd: (kind: StepKind) => void }) {
  const [kind, setKind] = useState<StepKind>(form.isContract ? 'toolCall' : 'assert');
  const kinds = (Object.keys(kindWords) as StepKind[]).filter(
    (one) => !form.isContract || (one !== 'prompt' && one !== 'getPrompt'),
  );
  return (
    <div className="add-part">
      <Field label="Next step">
        {(control) => (
          <select
            {...control}
            value={kind}
            onChange={({ target }) => setKind(target.value as StepKind)}
          >
            {kinds.map((one) => (
              <option key={one} value={one}>
                {kindWords[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="button" onClick={() => onAdd(kind)}>
        Add step
      </button>
    </div>
  );
}

interface StepProps {
  readonly form: CaseForm;
  readonly path: ArgumentPath;
  readonly number: number;
}

function OneStep({ kind, ...props }: StepProps & { kind: string }) {
  const { form, path, number } = props;
  switch (kind) {
    case 'prompt':
      return (
        <ValueText
          form={form}
          label={`Prompt of step ${number}`}
          path={[...path, 'prompt']}
          rows={3}
        />
      );
    case 'toolCall':
      return <CallFields {...props} />;
    case 'getPrompt':
      return (
        <>
          <ServerField {...props} />
          <ValueText form={form} label="Name of the prompt" path={[...path, 'promptName']} />
          <ValueJson form={form} label="Arguments as JSON" path={[...path, 'arguments']} />
        </>
      );
    case 'readResource':
      return (
        <>
          <ServerField {...props} />
          <ValueText form={form} label="Address of the resource (URI)" path={[...path, 'uri']} />
        </>
      );
    case 'assert':
      return (
        <AssertionFields
          form={form}
          path={[...path, 'assertion']}
          place="step"
          name={`Step ${number}`}
        />
      );
    default:
      return <ValueJson form={form} label={`Step ${number} as JSON`} path={path} rows={6} />;
  }
}

function only({ servers }: CaseForm): string | undefined {
  return servers.length === 1 ? servers[0]?.name : undefined;
}

function kindOf(step: unknown): string {
  return isRecord(step) && typeof step['kind'] === 'string' ? step['kind'] : '';
}

function wordsOf(step: unknown): string {
  const kind = kindOf(step);
  return Object.hasOwn(kindWords, kind) ? kindWords[kind as StepKind] : kind;
}

/** The React key contains the step's id, so that typed text moves with its step. */
function stepKey(step: unknown, at: number): string {
  return isRecord(step) && typeof step['id'] === 'string'
    ? `${step['id']} ${kindOf(step)}`
    : String(at);
}
