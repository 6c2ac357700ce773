import type { EvalSuiteDetail } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblems } from '../../../kit/data/field-problems.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { notify } from '../../../kit/notice.tsx';
import { useEditSuite } from '../data/eval-suites.ts';
import { useListedOf } from '../data/listed-tools.ts';
import { usePatternCheck } from '../data/pattern-check.ts';
import { useSuiteFiles } from '../data/suite-files.ts';
import { pathOf } from './case-draft.ts';
import { suiteHead } from './case-file.ts';
import { type NamedServer, useCheckedDraft } from './case-form.ts';
import { problemText } from './problem-words.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import {
  BasicsFields,
  DecidingFields,
  JudgeFields,
  type SettingsDraft,
} from './settings-fields.tsx';
import { BackToSuite } from './suite-crumbs.tsx';
import { suiteContent, suiteEdit, suiteProblems, suiteWith } from './suite-draft.ts';
import { listAt } from './value-fields.tsx';

export function SettingsForm(props: { suite: EvalSuiteDetail; servers: readonly NamedServer[] }) {
  const { suite, servers } = props;
  const ids = { projectId: suite.projectId, suiteId: suite.id };
  const isContract = suite.mode === 'serverContract';
  const navigate = useNavigate();
  const edit = useEditSuite(ids);
  const [before] = useState(() => suiteContent(suite));
  const whyNotRun = usePatternCheck();
  const form = useCheckedDraft(
    before,
    (value) => suiteProblems(value, suite.executionConfig?.model !== undefined, whyNotRun),
    fieldProblems(edit.error),
  );
  const [attempt, setAttempt] = useState(0);
  const { draft, found } = form;
  const chosen = listAt(form, ['environment', 'servers']);
  const listed = useListedOf(
    suite.projectId,
    servers.filter(({ id }) => chosen.includes(id)),
  );
  const unread = Object.keys(draft.problems).length;
  const submit = () => {
    if (edit.isPending) return;
    form.showAll();
    setAttempt(attempt + 1);
    if (found.length > 0 || unread > 0) return;
    const changed = suiteEdit(before, draft.value);
    if (Object.keys(changed).length === 0) return notify('Nothing was changed.');
    edit.mutate(changed, {
      onSuccess: ([warning]) => {
        notify(warning === undefined ? 'Saved.' : `Saved. ${warning.message}`);
        void navigate({ to: '/projects/$projectId/suites/$suiteId', params: ids });
      },
    });
  };
  return (
    <Form
      label="Settings"
      problem={attempt === 0 ? undefined : problemOf(form, unread, edit.error)}
      attempt={[attempt, edit.error].join()}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="primary" disabled={edit.isPending}>
            Save settings
          </button>
          <BackToSuite ids={ids} />
        </>
      }
    >
      <div className="workbench">
        <div>
          <BasicsFields form={form} servers={servers} isContract={isContract} />
          <DecidingFields form={form} listed={listed} />
          {!isContract && <JudgeFields form={form} />}
          <ScheduleFields form={form} suite={suite} />
        </div>
        <Head suite={suiteWith(suite, draft.value, servers)} />
      </div>
    </Form>
  );
}

function problemOf(form: SettingsDraft, unread: number, error: Error | null) {
  const [first] = Object.entries(form.problems);
  if (first !== undefined) return `Not saved. ${problemText(pathOf(first[0]), first[1])}`;
  return unread > 0 ? 'Not saved: a field does not have a valid value yet.' : error?.message;
}

function Head({ suite }: { suite: EvalSuiteDetail }) {
  const files = useSuiteFiles();
  if (files.data === undefined) return <p className="hint">The file is on its way…</p>;
  return (
    <div className="json-pane">
      <Field
        label="Head of its file"
        hint="Judge, schedule and checks of every case have no place of their own in a file: checks are written with each case."
      >
        {(control) => (
          <textarea
            {...control}
            className="code"
            rows={24}
            readOnly
            spellCheck={false}
            value={suiteHead(files.data, suite)}
          />
        )}
      </Field>
    </div>
  );
}
