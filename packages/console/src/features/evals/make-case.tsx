import '../../kit/styles/workbench.css';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CheckList } from '../../kit/check-list.tsx';
import { useWholeList } from '../../kit/data/operations.ts';
import { Field } from '../../kit/field.tsx';
import { firstServers, firstSuite } from '../../kit/first-choice.ts';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { notify } from '../../kit/notice.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { useOfferedModels } from '../models/index.ts';
import {
  type CaseSource,
  newSuite,
  type SuiteChoice,
  useMakeCase,
  useSuiteChoices,
} from './data/make-case.ts';

export interface MakeCaseProps {
  readonly projectId: string;
  readonly title: string;
  readonly source: CaseSource;
  readonly intro: string;
  /** The field for the case's name; absent if the case gets its name elsewhere. */
  readonly name?: { readonly start: string; readonly hint?: string };
  /** Id of the suite that is selected initially. */
  readonly ofSuite?: string;
  readonly serverIds?: readonly string[];
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

export function MakeCase(props: MakeCaseProps) {
  const [isAsking, setIsAsking] = useState(false);
  const suites = useSuiteChoices(props.projectId, props.serverIds !== undefined, isAsking);
  const close = () => setIsAsking(false);
  return (
    <>
      <button type="button" disabled={props.isDisabled} onClick={() => setIsAsking(true)}>
        {props.title}
      </button>
      {isAsking && (
        <Modal title={props.title} onClose={close}>
          <QueryView query={suites}>
            {(all) => <CaseForm {...props} suites={all} onClose={close} />}
          </QueryView>
        </Modal>
      )}
    </>
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose fields appear by what is chosen in the others.
function CaseForm(
  props: MakeCaseProps & {
    suites: readonly SuiteChoice[];
    onClose: () => void;
  },
) {
  const { projectId, suites, name } = props;
  const navigate = useNavigate();
  const servers = useWholeList('listProjectServers', { projectId });
  const models = useOfferedModels();
  const [suiteId, setSuiteId] = useState(
    firstSuite(suites, props.ofSuite, props.serverIds) ?? newSuite,
  );
  const [title, setTitle] = useState(name?.start ?? '');
  const [suiteName, setSuiteName] = useState('');
  const [model, setModel] = useState('');
  const [chosen, setChosen] = useState(props.serverIds);
  const make = useMakeCase(projectId, props.source);
  const isNew = suiteId === newSuite;
  const serverIds = [...(chosen ?? firstServers(servers.data ?? []))];
  const lacksName = isNew && suiteName.trim() === '';
  const lacksTitle = name !== undefined && name.hint === undefined && title.trim() === '';
  const submit = () => {
    if (make.isPending || lacksName || lacksTitle) return;
    const modelId = model || (models.data?.[0]?.id ?? '');
    const suite = { name: suiteName.trim(), serverIds, model: modelId };
    make.mutate(
      { suiteId, title: title.trim(), suite },
      {
        onSuccess: (made) => {
          notify(`Case ${made.title} made.`);
          void navigate({
            to: '/projects/$projectId/suites/$suiteId',
            params: { projectId, suiteId: made.suiteId },
          });
        },
      },
    );
  };
  return (
    <Form
      label={props.title}
      problem={make.error?.message}
      attempt={make.error}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={make.isPending}>
            Make case
          </button>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
        </>
      }
    >
      <p>{props.intro}</p>
      {name !== undefined && (
        <Field label="Title" hint={name.hint} problem={lacksTitle ? 'Give it a title.' : undefined}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              maxLength={200}
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Suite" hint="A suite is the list of cases that are run together.">
        {(control) => (
          <select {...control} value={suiteId} onChange={({ target }) => setSuiteId(target.value)}>
            {suites.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
            <option value={newSuite}>A new suite…</option>
          </select>
        )}
      </Field>
      {isNew && (
        <>
          <Field label="Name of the suite" problem={lacksName ? 'Give it a name.' : undefined}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                maxLength={200}
                value={suiteName}
                onChange={({ target }) => setSuiteName(target.value)}
              />
            )}
          </Field>
          <CheckList
            legend="Servers"
            none="This project has no server yet. Save one first."
            options={servers.data ?? []}
            chosen={serverIds}
            onChange={setChosen}
          />
          <Field label="Model" hint="The model that is asked in steps with a prompt.">
            {(control) => (
              <select {...control} value={model} onChange={({ target }) => setModel(target.value)}>
                {models.data?.map(({ id }) => (
                  <option key={id} value={id}>
                    {id}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      {props.children}
    </Form>
  );
}
