/** A case by form: what it is called, its steps, what is checked of the whole, and how often it is played. */
import { isRecord } from '@proofmark/domain';
import { useOfferedModels } from '../../data/playground.ts';
import { AssertionList } from './assertion-fields.tsx';
import type { CaseForm } from './case-form.ts';
import { StepFields } from './step-fields.tsx';
import { listAt, textAt, ValueChoice, ValueNumber, ValueText } from './value-fields.tsx';

export function CaseFields({ form, isNew }: { form: CaseForm; isNew: boolean }) {
  return (
    <div>
      <ValueText
        form={form}
        label="Title"
        hint="What must be true, as “Says when it opens on Monday”."
        path={['title']}
      />
      <StepFields form={form} />
      <CaseChecks form={form} />
      <fieldset className="parts">
        <legend>How it is played</legend>
        <p className="hint">Left empty, the suite says it.</p>
        <ValueNumber
          form={form}
          label="Trials in each run"
          hint="How often it is played, on each model. 1 to 100."
          path={['iterations']}
        />
        <ValueNumber
          form={form}
          label="Share that must pass"
          hint="0 to 1: with 0.8, four of five trials."
          path={['passThreshold']}
        />
        {!form.isContract && <ModelsOfCase form={form} />}
        {!form.isContract && (
          <ValueChoice
            form={form}
            label="May a tool be called?"
            path={['isNegative']}
            none="Yes"
            options={[['true', 'No: a trial in which one is called fails']]}
          />
        )}
        <ValueChoice
          form={form}
          label="Part of runs?"
          path={['disabled']}
          none="Yes"
          options={[['true', 'No, left out for now']]}
        />
        <details className="further">
          <summary>More of this case</summary>
          <ValueText
            form={form}
            label="Expected output"
            hint="What a judge compares the answer with."
            path={['expectedOutput']}
            rows={3}
          />
          <ValueNumber
            form={form}
            label="Time limit in milliseconds"
            hint="For all steps of a trial. 1 to 600,000."
            path={['timeoutMs']}
          />
          {isNew && (
            <ValueText
              form={form}
              label="Id of your own"
              hint="By which files and reports find it again. Letters, digits, _ and -."
              path={['id']}
            />
          )}
          <p className="hint">
            Rows, answers to questions of servers, and what is done before and after are written in
            the file.
          </p>
        </details>
      </fieldset>
    </div>
  );
}

function CaseChecks({ form }: { form: CaseForm }) {
  const mode = textAt(form, ['checks', 'mode']);
  const onList = (list: readonly unknown[]) => {
    const isSaid = list.length > 0 || mode === 'replace';
    const next = { mode: mode === 'replace' ? mode : 'extend', list };
    form.change(['checks'], isSaid ? next : undefined);
  };
  const hasList = listAt(form, ['checks', 'list']).length > 0;
  return (
    <>
      <AssertionList
        form={form}
        path={['checks', 'list']}
        legend="Checks of the whole case"
        hint="Assertions: each must be true of every trial, whatever step it happened in."
        onList={onList}
      />
      {(hasList || mode !== '') && (
        <ValueChoice
          form={form}
          label="Checks of the suite"
          path={['checks', 'mode']}
          none="Choose…"
          options={[
            ['extend', 'Hold for this case, too'],
            ['replace', 'Do not hold for this case'],
            ['inherit', 'Hold alone; those above do not count'],
          ]}
        />
      )}
    </>
  );
}

/** One model by form; a case that has several keeps them. */
function ModelsOfCase({ form }: { form: CaseForm }) {
  const models = useOfferedModels();
  const held = listAt(form, ['models']);
  if (held.length > 1) {
    const names = held.map((one) => (isRecord(one) ? String(one['model']) : ''));
    return <p className="hint">{`It is played on ${names.join(', ')}.`}</p>;
  }
  return (
    <ValueText
      form={{
        ...form,
        change: (_path, next) =>
          form.change(['models'], next === undefined ? next : [{ model: next }]),
      }}
      label="Model of this case"
      hint="Left empty: that of the suite."
      path={['models', 0, 'model']}
      list={models.data?.map(({ id }) => id) ?? []}
    />
  );
}
