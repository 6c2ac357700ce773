import type { ProjectEnvironment } from '@proofmark/contract';
import { useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import type { DraftRequest } from './data/drafts.ts';
import type { Persona, Swarm } from './data/swarms.ts';

export interface DraftFormChoices {
  readonly environments: readonly ProjectEnvironment[];
  readonly personas: readonly Persona[];
  readonly swarms: readonly Swarm[];
}

export function DraftForm(props: {
  choices: DraftFormChoices;
  personaId: string | undefined;
  swarmId: string | undefined;
  problem: Error | null;
  isDrafting: boolean;
  onDraft: (request: DraftRequest) => void;
}) {
  const { environments, personas, swarms } = props.choices;
  const [environmentId, setEnvironmentId] = useState(environments[0]?.id ?? '');
  const [personaId, setPersonaId] = useState(props.personaId ?? '');
  const [swarmId, setSwarmId] = useState(props.swarmId ?? '');
  const [personaCount, setPersonaCount] = useState(3);
  const [journeyCount, setJourneyCount] = useState(2);
  const [about, setAbout] = useState('');
  const persona = personas.find(({ id }) => id === personaId);
  const submit = () =>
    props.onDraft({
      environmentId,
      ...(swarmId !== '' && { swarmId }),
      journeyCount,
      personaCount,
      ...(persona !== undefined && { persona }),
      ...(about.trim() !== '' && { description: about.trim() }),
    });
  return (
    <Form
      label="Draft from tools"
      problem={props.problem?.message}
      attempt={props.problem}
      onSubmit={() => !props.isDrafting && submit()}
      buttons={
        <button type="submit" className="primary" disabled={props.isDrafting}>
          {props.isDrafting ? 'Drafting…' : 'Draft'}
        </button>
      }
    >
      <Choice
        label="Environment"
        hint="The drafts are about its tools, and their journeys are played in it."
        value={environmentId}
        options={environments}
        onChange={setEnvironmentId}
      />
      <Choice
        label="Personas to write for"
        value={persona?.id ?? ''}
        options={[{ id: '', name: 'New personas' }, ...personas]}
        onChange={setPersonaId}
      />
      {persona === undefined && (
        <Amount label="Personas" most={12} value={personaCount} onChange={setPersonaCount} />
      )}
      <Amount
        label="Journeys per persona"
        most={5}
        value={journeyCount}
        onChange={setJourneyCount}
      />
      {swarms.length > 0 && (
        <Choice
          label="Swarm"
          hint="Saved journeys are put into it, and run together."
          value={swarmId}
          options={[{ id: '', name: 'None' }, ...swarms]}
          onChange={setSwarmId}
        />
      )}
      <Field label="About" hint="Optional: what the drafts should be like.">
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2_000}
            value={about}
            onChange={({ target }) => setAbout(target.value)}
          />
        )}
      </Field>
    </Form>
  );
}

function Choice(props: {
  label: string;
  hint?: string;
  value: string;
  options: readonly { readonly id: string; readonly name: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <Field label={props.label} hint={props.hint}>
      {(control) => (
        <select
          {...control}
          value={props.value}
          onChange={({ target }) => props.onChange(target.value)}
        >
          {props.options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Amount(props: {
  label: string;
  most: number;
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <Choice
      label={props.label}
      value={String(props.value)}
      options={Array.from({ length: props.most }, (_, index) => ({
        id: String(index + 1),
        name: String(index + 1),
      }))}
      onChange={(value) => props.onChange(Number(value))}
    />
  );
}
