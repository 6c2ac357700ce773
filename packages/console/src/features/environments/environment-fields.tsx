/** The form of an environment. Fields without an input can be edited in the JSON beside it. */
import type { PluginDetail, PluginVersion } from '@proofmark/contract';
import type { ReactNode } from 'react';
import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import { CheckList } from '../../kit/check-list.tsx';
import { ChoiceRows } from '../../kit/choice-rows.tsx';
import { type FieldProblems, problemInside } from '../../kit/data/field-problems.ts';
import { type ControlProps, Field } from '../../kit/field.tsx';
import type { EnvironmentChoices } from './data/environment-choices.ts';
import {
  chosenSkills,
  type EnvironmentContent,
  pinnedVersions,
  withPin,
  withSkills,
  withText,
} from './environment-draft.ts';
import { contentsWords, versionName } from './version-words.ts';

/** Fields whose problems the form shows beside the field. */
export const environmentFieldNames = [
  ...['name', 'description', 'hostId', 'serverAttachmentId', 'modelId', 'skillSelection'],
  ...['pluginVersionIds', 'json'],
];

export function EnvironmentFields(props: {
  draft: JsonDraft;
  parts: EnvironmentChoices;
  problems: FieldProblems;
  onChange: (draft: JsonDraft) => void;
  /** The text if no client exists (default: the request to choose one). */
  noClient?: string;
  servers?: ReactNode;
}) {
  const { draft, parts, problems, onChange } = props;
  const input = (field: keyof EnvironmentContent) => (control: ControlProps) => (
    <input
      {...control}
      autoComplete="off"
      spellCheck={field !== 'modelId'}
      className={field === 'modelId' ? 'code' : undefined}
      value={textOf(draft, field)}
      onChange={(event) => onChange(withText(draft, field, event.target.value))}
    />
  );
  const select =
    (field: keyof EnvironmentContent, none: string, options: readonly Option[]) =>
    (control: ControlProps) => (
      <select
        {...control}
        value={textOf(draft, field)}
        onChange={(event) => onChange(withText(draft, field, event.target.value))}
      >
        <option value="">{none}</option>
        {withGone(options, textOf(draft, field)).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    );
  return (
    <div>
      <Field label="Name" problem={problems['name']}>
        {input('name')}
      </Field>
      <Field
        label="Description"
        hint="Its purpose, in a sentence."
        problem={problems['description']}
      >
        {input('description')}
      </Field>
      <Field label="Client" problem={problems['hostId']}>
        {select('hostId', props.noClient ?? 'Choose a client', parts.clients)}
      </Field>
      {props.servers}
      <Field
        label="Server group"
        hint="Takes the place of the client’s servers."
        problem={problems['serverAttachmentId']}
      >
        {select('serverAttachmentId', 'None: the servers of the client', parts.groups)}
      </Field>
      <Field label="Model" hint="Empty: that of the client." problem={problems['modelId']}>
        {input('modelId')}
      </Field>
      <CheckList
        legend="Skills"
        hint="With none chosen here, the client’s own choice holds."
        problem={problemInside(problems, 'skillSelection')}
        none="This project has no skills."
        options={parts.skills.map(({ id, name, latest }) => ({
          id,
          name,
          hint: `version ${latest.number}`,
        }))}
        chosen={chosenSkills(draft)}
        onChange={(chosen) => onChange(withSkills(draft, chosen))}
      />
      <Plugins {...props} />
    </div>
  );
}

interface Option {
  readonly id: string;
  readonly name: string;
}

function Plugins(props: Parameters<typeof EnvironmentFields>[0]) {
  const { draft, onChange } = props;
  const { plugins } = props.parts;
  const pinned = pinnedVersions(draft);
  const problem = problemInside(props.problems, 'pluginVersionIds');
  return (
    <fieldset>
      <legend>Plugins</legend>
      <p className="hint">A pinned version stays as it is; its servers and skills come with it.</p>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {plugins.length === 0 && <p className="hint">This project has no plugins.</p>}
      <ChoiceRows
        rows={plugins.map((plugin) => ({
          id: plugin.id,
          name: plugin.displayName ?? plugin.name,
          chosen: pinned.find((id) => versionIds(plugin).includes(id)) ?? '',
          options: [
            ['', 'not used'],
            ...plugin.versions.map(
              (version) => [version.id, versionWords(plugin, version)] as const,
            ),
          ],
        }))}
        onChoose={(id, versionId) => {
          const plugin = plugins.find((one) => one.id === id);
          if (plugin !== undefined) onChange(withPin(draft, versionIds(plugin), versionId));
        }}
      />
    </fieldset>
  );
}

function versionIds(plugin: PluginDetail): string[] {
  return plugin.versions.map(({ id }) => id);
}

function versionWords(plugin: PluginDetail, version: PluginVersion): string {
  const active = version.id === plugin.activeVersionId ? ', active' : '';
  return `${versionName(version)} (${contentsWords(version)}${active})`;
}

/** Adds the chosen option if it no longer exists. The user then sees it and can choose another. */
function withGone(options: readonly Option[], chosen: string): readonly Option[] {
  const isKnown = chosen === '' || options.some(({ id }) => id === chosen);
  return isKnown ? options : [...options, { id: chosen, name: `${chosen} (no longer there)` }];
}

function textOf(draft: JsonDraft, field: string): string {
  const value = draft.value[field];
  return typeof value === 'string' ? value : '';
}
