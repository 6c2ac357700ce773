import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { useOfferedModels } from '../../models/index.ts';
import { AssertionList } from './assertion-fields.tsx';
import { withModel } from './case-draft.ts';
import type { CaseForm } from './case-form.ts';
import { PlanFields } from './plan-fields.tsx';
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
        <legend>Trials and models</legend>
        <p className="hint">Empty fields take the values of the suite.</p>
        <ValueNumber
          form={form}
          label="Trials in each run"
          hint="How often it is played, on each model. 1 to 100."
          path={['iterations']}
        />
        <ValueNumber
          form={form}
          label="Passing score"
          hint="The share of its trials that must pass, 0 to 1: with 0.8, four of five."
          path={['passThreshold']}
        />
        <PlanFields form={form} path={['trials']} />
        {!form.isContract && <ModelsOfCase form={form} />}
        {!form.isContract && (
          <ValueChoice
            form={form}
            label="Tool calls"
            path={['isNegative']}
            none="Allowed"
            options={[['true', 'Forbidden: a trial with a call fails']]}
          />
        )}
        <ValueChoice
          form={form}
          label="Enabled"
          path={['disabled']}
          none="Yes"
          options={[['true', 'No, left out of runs']]}
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
              label="Id"
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
  const onList = (list: readonly unknown[], fresh: ArgumentPath) => {
    const isStated = list.length > 0 || mode === 'replace';
    const next = { mode: mode === 'replace' ? mode : 'extend', list };
    form.arrange(['checks'], isStated ? next : undefined, fresh);
  };
  const hasList = listAt(form, ['checks', 'list']).length > 0;
  return (
    <>
      <AssertionList
        form={form}
        path={['checks', 'list']}
        legend="Checks of the whole case"
        hint="Each must hold in every trial, in whatever step it happens."
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

/** Models on which the case is played. If the list is empty, the suite's model is used. */
function ModelsOfCase({ form }: { form: CaseForm }) {
  const models = useOfferedModels();
  const held = listAt(form, ['models']);
  const keep = (next: readonly unknown[]) =>
    form.arrange(['models'], next.length === 0 ? undefined : next);
  return (
    <>
      {held.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model is known by its place until it is saved.
        <div className="argument-item" key={at}>
          <ValueText
            form={form}
            label={`Model ${at + 1} of this case`}
            path={['models', at, 'model']}
            onText={(model) => keep(withModel(held, at, model))}
            list={models.data?.map(({ id }) => id) ?? []}
          />
          <button
            type="button"
            className="small"
            aria-label={`Remove model ${at + 1}`}
            onClick={() => keep(held.filter((_one, index) => index !== at))}
          >
            Remove
          </button>
        </div>
      ))}
      <p>
        <button type="button" className="small" onClick={() => keep([...held, { model: '' }])}>
          {held.length === 0 ? 'Choose another model than the suite' : 'Add model'}
        </button>
      </p>
    </>
  );
}
