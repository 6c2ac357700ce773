/**
 * Settings of a link: admission, texts, limits for guests, and environment. Each part is saved
 * separately.
 */
import type { Project } from '@proofmark/contract';
import { scenarioFeedbacks, tierAllows } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { useChange, useWholeList } from '../../kit/data/operations.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { notify } from '../../kit/notice.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { linkOf, type ScenarioIds } from './data/user-testing.ts';
import { type EnvironmentChoice, EnvironmentSelect } from './environment-select.tsx';
import { GuestSpending } from './guest-spending.tsx';
import { InvitedPeople } from './invited-people.tsx';
import { feedbackWords, type Mode } from './link-words.ts';
import { ModeOptions } from './mode-options.tsx';
import type { SettingsProps } from './settings-props.ts';

export function ScenarioSettings(props: SettingsProps & { role: Project['role'] }) {
  const { role, ...parts } = props;
  if (!tierAllows(role, 'manage')) {
    return <p className="panel">A manager of this project can change this.</p>;
  }
  const isAdmin = tierAllows(role, 'admin');
  return (
    <div className="two-columns">
      <Block title="Access">
        <ModeForm {...parts} />
        <InvitedPeople ids={parts.ids} />
      </Block>
      <Block title="Texts of the page">
        <WordsForm {...parts} />
      </Block>
      <Block title="Spending of guests">
        {isAdmin ? <GuestSpending {...parts} /> : <p className="hint">An admin sets this.</p>}
      </Block>
      <Block title="Link">
        <Rotate ids={parts.ids} />
        {isAdmin && <Rebind {...parts} />}
      </Block>
    </div>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ModeForm({ ids, scenario }: SettingsProps) {
  const [mode, setMode] = useState<Mode>(scenario.mode ?? 'project_members');
  const edit = useChange('updateUserTestingScenario', ids, linkOf(ids));
  const save = () => edit.mutate({ mode }, { onSuccess: () => notify('Access saved.') });
  return (
    <Form
      label="Access"
      problem={edit.error?.message}
      attempt={edit.error}
      onSubmit={save}
      buttons={
        <button type="submit" disabled={edit.isPending || mode === scenario.mode}>
          Save access
        </button>
      }
    >
      <Field
        label="Access to the link"
        hint="Opening it to fewer people turns the others away at once."
      >
        {(control) => <ModeOptions control={control} mode={mode} onChange={setMode} />}
      </Field>
    </Form>
  );
}

function WordsForm({ ids, scenario }: SettingsProps) {
  const [words, setWords] = useState({
    name: scenario.name,
    description: scenario.description ?? '',
    welcome: scenario.welcome ?? '',
    feedback: scenario.feedback,
  });
  const edit = useChange('updateUserTestingScenario', ids, linkOf(ids));
  const save = () => edit.mutate(words, { onSuccess: () => notify('Texts saved.') });
  const text = (name: 'description' | 'welcome', label: string) => (
    <Field label={label}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          maxLength={2000}
          value={words[name]}
          onChange={(event) => setWords({ ...words, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Form
      label="Texts of the page"
      problem={edit.error?.message}
      attempt={edit.error}
      onSubmit={save}
      buttons={
        <button type="submit" disabled={edit.isPending}>
          Save texts
        </button>
      }
    >
      <Field label="Title">
        {(control) => (
          <input
            {...control}
            value={words.name}
            maxLength={200}
            onChange={(event) => setWords({ ...words, name: event.target.value })}
          />
        )}
      </Field>
      {text('description', 'Description')}
      {text('welcome', 'Welcome')}
      <Field label="Ratings">
        {(control) => (
          <select
            {...control}
            value={words.feedback}
            onChange={(event) =>
              setWords({ ...words, feedback: event.target.value as typeof words.feedback })
            }
          >
            {scenarioFeedbacks.map((feedback) => (
              <option key={feedback} value={feedback}>
                {feedbackWords[feedback]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  );
}

function Rotate({ ids }: { ids: ScenarioIds }) {
  const [isAsked, setAsked] = useState(false);
  const rotate = useChange('rotateScenarioLink', () => ({ ...ids, body: {} }), linkOf(ids));
  const onConfirm = () =>
    rotate.mutate(undefined, {
      onSuccess: () => {
        setAsked(false);
        notify('The link is a new one.');
      },
    });
  return (
    <>
      <p className="hint">
        The old link stops working. Visitors who opened it before keep their access.
      </p>
      <button type="button" onClick={() => setAsked(true)}>
        Replace the link
      </button>
      <div className="apart" />
      {isAsked && (
        <Confirm
          title="Replace the link?"
          action="Replace"
          busy={rotate.isPending}
          error={rotate.error}
          onConfirm={onConfirm}
          onClose={() => setAsked(false)}
        >
          <p>People who have the old link but have not opened it yet need the new one.</p>
        </Confirm>
      )}
    </>
  );
}

function Rebind({ ids, scenario }: SettingsProps) {
  return (
    <QueryView query={useWholeList('listEnvironments', { projectId: ids.projectId })}>
      {(environments) => <RebindForm ids={ids} scenario={scenario} environments={environments} />}
    </QueryView>
  );
}

function RebindForm(
  props: SettingsProps & {
    environments: readonly EnvironmentChoice[];
  },
) {
  const { ids, scenario, environments } = props;
  const [environmentId, setEnvironmentId] = useState(scenario.environmentId);
  const rebind = useChange(
    'rebindScenario',
    (environmentId: string) => ({ ...ids, body: { environmentId } }),
    linkOf(ids),
  );
  return (
    <Form
      label="Environment of the link"
      problem={rebind.error?.message}
      attempt={rebind.error}
      onSubmit={() =>
        rebind.mutate(environmentId, { onSuccess: () => notify('Environment saved.') })
      }
      buttons={
        <button
          type="submit"
          disabled={rebind.isPending || environmentId === scenario.environmentId}
        >
          Save environment
        </button>
      }
    >
      <EnvironmentSelect
        environments={environments}
        chosen={environmentId}
        hint="Link, people and conversations stay."
        onChange={setEnvironmentId}
      />
    </Form>
  );
}
