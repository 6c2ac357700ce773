import { CheckList } from '../../../kit/check-list.tsx';
import { useOfferedModels } from '../../models/index.ts';
import { AssertionList } from './assertion-fields.tsx';
import type { NamedServer, useCheckedDraft } from './case-form.ts';
import type { Listed } from './listed-fields.ts';
import { PlanFields } from './plan-fields.tsx';
import { listAt, ValueChoice, ValueNumber, ValueText } from './value-fields.tsx';

export type SettingsDraft = ReturnType<typeof useCheckedDraft>;

export function BasicsFields(props: {
  form: SettingsDraft;
  servers: readonly NamedServer[];
  isContract: boolean;
}) {
  const { form } = props;
  const models = useOfferedModels();
  const chosen = listAt(form, ['environment', 'servers']).map(String);
  return (
    <>
      <ValueText form={form} label="Name" path={['name']} />
      <ValueText form={form} label="Description" path={['description']} rows={2} />
      {!props.isContract && (
        <ValueText
          form={form}
          label="Model"
          hint="For cases that name none."
          path={['executionConfig', 'model']}
          list={models.data?.map(({ id }) => id) ?? []}
        />
      )}
      <CheckList
        legend="Servers"
        none="This project has none."
        options={props.servers}
        chosen={chosen}
        onChange={(next) => form.change(['environment'], { servers: next })}
      />
    </>
  );
}

export function DecidingFields({ form, listed }: { form: SettingsDraft; listed: Listed }) {
  const policy = ['settings', 'verdictPolicyDefaults'] as const;
  return (
    <>
      <fieldset className="parts">
        <legend>Passing scores</legend>
        <ValueNumber
          form={form}
          label="Trials per case"
          hint="For each model. 1 to 100; a case may say otherwise."
          path={[...policy, 'repetitions']}
        />
        <ValueNumber
          form={form}
          label="Passing score"
          hint="The share of its trials that must pass, 0 to 1, for each case on each model."
          path={[...policy, 'passThreshold']}
        />
        <ValueNumber
          form={form}
          label="Passing score of the whole run"
          hint="The percent of all trials that must pass, 0 to 100. Decides alone, and only where none of the above is stated."
          path={['settings', 'minimumAccuracy']}
        />
        <PlanFields form={form} path={[...policy, 'trials']} />
      </fieldset>
      <AssertionList
        form={{ ...form, listed }}
        path={['settings', 'checks']}
        legend="Checks of every case"
        hint="They must hold in every trial of every case that does not say otherwise."
        onList={(list, fresh) =>
          form.arrange(['settings', 'checks'], list.length === 0 ? undefined : list, fresh)
        }
      />
    </>
  );
}

export function JudgeFields({ form }: { form: SettingsDraft }) {
  const judge = ['settings', 'judge'] as const;
  return (
    <fieldset className="parts">
      <legend>Judge</legend>
      <p className="hint">A model that grades trials after a run. It changes no verdict.</p>
      <ValueChoice
        form={form}
        label="Enabled"
        path={[...judge, 'enabled']}
        options={[
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
      />
      <ValueChoice
        form={form}
        label="Automatic, after every run"
        path={[...judge, 'autoRun']}
        options={[
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
      />
      <ValueText form={form} label="Model of the judge" path={[...judge, 'model']} />
      <ValueNumber
        form={form}
        label="Passing score of the judge"
        hint="0 to 1."
        path={[...judge, 'threshold']}
      />
    </fieldset>
  );
}
