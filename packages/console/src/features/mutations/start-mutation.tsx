import { useState } from 'react';
import { ChooseOne } from '../../kit/choose-one.tsx';
import { allBelow } from '../../kit/data/address-key.ts';
import { useChange, usePages } from '../../kit/data/operations.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { runWords, type SuiteIds } from '../evals/index.ts';
import { ModelField } from '../models/index.ts';
import {
  type MutationChoice,
  mutationBody,
  mutationForms,
  newMutationChoice,
  recordedRuns,
} from './mutation-choice.ts';

export function StartMutation({ ids, isAgain }: { ids: SuiteIds; isAgain: boolean }) {
  const start = useChange('createEvalSuiteMutation', ids, {
    readAgain: [allBelow('listEvalSuiteMutations', ids)],
  });
  const [choice, setChoice] = useState(newMutationChoice);
  const [attempt, setAttempt] = useState(0);
  const asked = mutationBody(choice);
  const problem = attempt > 0 && 'problem' in asked ? asked.problem : undefined;
  const begin = () => {
    setAttempt(attempt + 1);
    if ('body' in asked && !start.isPending) start.mutate(asked.body);
  };
  return (
    <Form
      label="Mutation test"
      problem={problem?.message ?? start.error?.message}
      attempt={attempt}
      onSubmit={begin}
      buttons={
        <button type="submit" className={isAgain ? 'small' : undefined} disabled={start.isPending}>
          {isAgain ? 'Find out again' : 'Find out'}
        </button>
      }
    >
      <details className="mutants">
        <summary>How it is played</summary>
        <Choices ids={ids} choice={choice} problem={problem} onChange={setChoice} />
      </details>
    </Form>
  );
}

interface ChoicesProps {
  readonly ids: SuiteIds;
  readonly choice: MutationChoice;
  readonly problem: { readonly field: string; readonly message: string } | undefined;
  readonly onChange: (choice: MutationChoice) => void;
}

function Choices(props: ChoicesProps) {
  const { choice, problem, onChange } = props;
  const { form, model, allowWrites, seed } = choice;
  return (
    <>
      <ChooseOne
        legend="Played against"
        options={mutationForms}
        chosen={form}
        onChoose={(next) => onChange({ ...choice, form: next })}
      />
      {form !== 'live' && <ChooseRun {...props} />}
      {form !== 'both' && (
        <ModelField
          hint="Plays all cases. Empty: the lexical one, which costs nothing."
          value={model}
          onChange={(next) => onChange({ ...choice, model: next })}
        />
      )}
      {form === 'live' && (
        <Field
          label="Tools that may write"
          hint="Names of tools held for writing that may be called, with commas between. Empty: those that the suite allows."
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={allowWrites}
              onChange={({ target }) => onChange({ ...choice, allowWrites: target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label="Seed"
        hint="Which changes are tried, where there are more than 60. Empty: 1."
        problem={problem?.field === 'seed' ? problem.message : undefined}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            value={seed}
            onChange={({ target }) => onChange({ ...choice, seed: target.value })}
          />
        )}
      </Field>
    </>
  );
}

function ChooseRun({ ids, choice, problem, onChange }: ChoicesProps) {
  const runs = usePages('listEvalSuiteRuns', ids);
  return (
    <Field
      label="Run"
      hint="One of which something was recorded."
      problem={problem?.field === 'runId' ? problem.message : undefined}
    >
      {(control) => (
        <select
          {...control}
          value={choice.runId}
          onChange={({ target }) => onChange({ ...choice, runId: target.value })}
        >
          <option value="">choose a run</option>
          {recordedRuns(runs.data ?? []).map((one) => (
            <option key={one.id} value={one.id}>
              {`run ${one.runNumber}, ${runWords(one).word}`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
