import type { EvalSuiteDetail } from '@proofmark/contract';
import { type EvalCaseDefinition, type Json, warnOfCases } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';
import { JsonPane } from '../../../kit/changes/json-pane.tsx';
import { useNoWidgets } from '../../../kit/data/capabilities.ts';
import { type FieldProblems, fieldProblems } from '../../../kit/data/field-problems.ts';
import { Form } from '../../../kit/form.tsx';
import { useListedOf } from '../data/listed-tools.ts';
import { usePatternCheck } from '../data/pattern-check.ts';
import { useSuiteFiles } from '../data/suite-files.ts';
import { caseProblems, pathOf, withCallArguments } from './case-draft.ts';
import { CaseFields } from './case-fields.tsx';
import { caseLanguage, mostRowsBeside } from './case-file.ts';
import { type CaseForm, useCheckedDraft } from './case-form.ts';
import { problemText } from './problem-words.ts';
import { statedSettings } from './stated-settings.ts';

export function CaseEditor(props: {
  suite: EvalSuiteDetail;
  fileId?: string;
  start: Json;
  save: { readonly isPending: boolean; readonly error: Error | null };
  /** The path of the case inside the request. Absent if the request is the case itself. */
  problemsAt?: string;
  action: string;
  onSave: (value: Json) => void;
  /** Called at every attempt to save, even of an invalid case. */
  onTry?: () => void;
  onTyped?: () => void;
  cancel: ReactNode;
}) {
  const { suite, save, fileId } = props;
  const isContract = suite.mode === 'serverContract';
  const saveProblems = problemsUnder(fieldProblems(save.error), props.problemsAt);
  const whyNotRun = usePatternCheck();
  const checked = useCheckedDraft(
    props.start,
    (value) => caseProblems(value, isContract, whyNotRun),
    saveProblems,
    withCallArguments,
    props.onTyped,
  );
  const { draft, found } = checked;
  const [attempt, setAttempt] = useState(0);
  const unread = Object.keys(draft.problems).length;
  const submit = () => {
    if (save.isPending) return;
    checked.showAll();
    props.onTry?.();
    setAttempt(attempt + 1);
    if (found.length === 0 && unread === 0) props.onSave(draft.value);
  };
  const servers = serversOf(suite);
  const listed = useListedOf(suite.projectId, servers);
  const form: CaseForm = {
    projectId: suite.projectId,
    servers,
    listed,
    isContract,
    ...checked,
  };
  return (
    <Form
      label="Case"
      problem={attempt > 0 ? problemWords(checked.problems, unread, save.error) : undefined}
      attempt={[attempt, save.error].join()}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={save.isPending}>
            {props.action}
          </button>
          {props.cancel}
        </>
      }
    >
      <div className="workbench">
        <CaseFields form={form} isNew={fileId === undefined} />
        <FilePane suite={suite} fileId={fileId} form={checked} />
      </div>
      {found.length === 0 && <Warnings value={draft.value} suite={suite} />}
    </Form>
  );
}

/** Keeps the problems inside a part of the request, with paths relative to that part. */
function problemsUnder(problems: FieldProblems, place: string | undefined): FieldProblems {
  if (place === undefined) return problems;
  const inside = Object.entries(problems).filter(([name]) => name.startsWith(`${place}.`));
  return Object.fromEntries(
    inside.map(([name, message]) => [name.slice(place.length + 1), message]),
  );
}

function problemWords(
  problems: Readonly<Record<string, string>>,
  unread: number,
  error: Error | null,
): string | undefined {
  const all = Object.entries(problems);
  const [first] = all;
  if (first === undefined) {
    return unread > 0 ? 'Not saved: a field does not have a valid value yet.' : error?.message;
  }
  const [name, message] = first;
  const rest = all.length > 1 ? ` And ${all.length - 1} more.` : '';
  return `Not saved. ${problemText(pathOf(name), message)}${rest}`;
}

function FilePane(props: {
  suite: EvalSuiteDetail;
  fileId: string | undefined;
  form: ReturnType<typeof useCheckedDraft>;
}) {
  const { suite, fileId, form } = props;
  const files = useSuiteFiles();
  const rows = rowsIn(form.draft.value);
  if (rows > mostRowsBeside) {
    return (
      <p className="hint">{`It has ${rows} rows, too many to be shown here. Export the suite to see its file.`}</p>
    );
  }
  if (files.data === undefined) return <p className="hint">The file is on its way…</p>;
  return (
    <JsonPane
      label="Case as it stands in a suite file"
      language={caseLanguage(files.data, suite, form.draft.value, fileId)}
      draft={form.draft}
      onChange={(next) => form.set(next)}
    />
  );
}

/** Warnings that a launch of the suite would also show. They do not prevent saving. */
function Warnings({ value, suite }: { value: Json; suite: EvalSuiteDetail }) {
  const { data: _rows, id: _id, ...definition } = value;
  const one = { path: '', definition: definition as unknown as EvalCaseDefinition };
  const noWidgets = useNoWidgets(suite.projectId);
  const warnings = warnOfCases([one], statedSettings(suite.settings), undefined, { noWidgets });
  return warnings.map(({ message }) => (
    <p key={message} className="warning">
      <bdi>{message}</bdi>
    </p>
  ));
}

function serversOf({ environment }: EvalSuiteDetail) {
  return environment.serverIds.map((id, at) => ({ id, name: environment.servers[at] ?? id }));
}

function rowsIn(value: Json): number {
  const { rows } = Object(value['data']) as { rows?: unknown };
  return Array.isArray(rows) ? rows.length : 0;
}
