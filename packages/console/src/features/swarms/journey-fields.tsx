import type { Client, ProjectEnvironment } from '@proofmark/contract';
import { isRecord } from '@proofmark/domain';
import { DraftSelect, DraftText } from '../../kit/changes/draft-fields.tsx';
import { withField } from '../../kit/changes/json-draft.ts';
import { JsonPane } from '../../kit/changes/json-pane.tsx';
import { Checkbox } from '../../kit/field.tsx';
import { CriteriaFields } from './criteria-fields.tsx';
import type { Persona, Swarm } from './data/swarms.ts';
import type { DraftFormProps } from './draft-form-props.ts';
import { NumberFields } from './number-fields.tsx';
import { SeveralField } from './several-field.tsx';

export interface JourneyChoices {
  readonly personas: readonly Persona[];
  readonly swarms: readonly Swarm[];
  readonly environments: readonly ProjectEnvironment[];
  readonly clients: readonly Client[];
}

/** Fields whose problems the form shows beside the field. */
export const journeyFieldNames = [
  ...['name', 'goal', 'personaId', 'swarmId', 'environmentIds', 'hostIds', 'sessionsPerTarget'],
  ...['maxTurns', 'rubric', 'personaModel', 'json'],
];

export function JourneyFields(
  props: DraftFormProps & { choices: JourneyChoices; isNew?: boolean },
) {
  const { draft, problems, choices, onChange } = props;
  const isInEnvironments = Array.isArray(draft.value['environmentIds']);
  return (
    <div className="workbench">
      <div>
        <DraftText
          {...props}
          field="goal"
          label="Goal"
          hint="What they try to get done, in their words. Several sentences are several wishes."
          rows={4}
        />
        <DraftText {...props} field="name" label="Name" hint="Empty: the beginning of the goal." />
        {props.isNew && (
          <DraftSelect
            {...props}
            field="personaId"
            label="Persona"
            hint="It stays the persona of this journey."
            none="Choose a persona"
            options={choices.personas}
          />
        )}
        <DraftSelect
          {...props}
          field="swarmId"
          label="Swarm"
          hint="Its journeys are run together."
          none="None"
          options={choices.swarms}
        />
        <SeveralField
          {...props}
          field="environmentIds"
          legend="Environments"
          hint="It is played in each of them."
          none="This project has no environments."
          options={choices.environments}
        />
        {!isInEnvironments && (
          <SeveralField
            {...props}
            field="hostIds"
            legend="Clients"
            hint="Without an environment it is played by these, each with its own model and servers."
            none="This project has no clients."
            options={choices.clients}
          />
        )}
        <NumberFields {...props} />
        <CriteriaFields {...props} />
        <DraftText
          {...props}
          field="personaModel"
          label="Simulated user"
          hint="The hosted model that plays the persona. Empty: the one of this service, by default proofmark/scripted-user-1, which follows the goal word by word and is no language model."
        />
        <Checkbox
          label="Judge every session"
          hint="Whether the goal was met, as a score beside the checks. It decides nothing."
          checked={isJudged(draft.value['judgeConfig'])}
          onChange={(checked) =>
            onChange(
              withField(
                draft,
                ['judgeConfig'],
                checked ? { goalCompletion: { autoRun: true } } : undefined,
              ),
            )
          }
        />
      </div>
      <JsonPane
        label="Journey as JSON"
        draft={draft}
        problem={problems['json']}
        onChange={onChange}
      />
    </div>
  );
}

function isJudged(config: unknown): boolean {
  const judge = isRecord(config) ? config['goalCompletion'] : undefined;
  return isRecord(judge) && judge['autoRun'] === true && judge['enabled'] !== false;
}
