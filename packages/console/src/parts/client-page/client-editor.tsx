/** Edits a client: form and JSON, the changes before they are saved, and what happened meanwhile. */
import { useState } from 'react';
import {
  type ClientDraft,
  type ClientVersion,
  clientDraft,
  comparable,
  isClientSet,
  readClientDraft,
  reapplied,
} from '../../clients/client-draft.ts';
import { clientVocabulary } from '../../clients/client-words.ts';
import {
  type ClientDetail,
  type ClientPlace,
  readClient,
  useKeepClient,
  useUpdateClient,
} from '../../data/clients.ts';
import { type FieldProblems, fieldProblems } from '../../data/field-problems.ts';
import type { ProjectServer } from '../../data/servers.ts';
import { Conflict } from '../changes/conflict.tsx';
import { JsonPane } from '../changes/json-pane.tsx';
import { problemSentence } from '../changes/problem-sentence.ts';
import { ReviewChanges } from '../changes/review-changes.tsx';
import { useVersioned } from '../changes/use-versioned.ts';
import { Form } from '../form.tsx';
import { ClientFields } from './client-fields.tsx';
import { impactWords } from './impact-words.ts';

export function ClientEditor(props: {
  place: ClientPlace;
  client: ClientDetail;
  servers: readonly ProjectServer[];
}) {
  const { place, servers } = props;
  const update = useUpdateClient(place);
  const keep = useKeepClient(place);
  const [draft, setDraft] = useState<ClientDraft>(() => clientDraft(props.client));
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const saver = useVersioned<ClientDetail, ClientVersion>(props.client, {
    versionOf: ({ name, config }) => ({ name, config }),
    comparable,
    isSet: isClientSet,
    reapply: reapplied,
    save: (version, base) => update.mutateAsync(clientEdit(version, base)),
    readAgain: () => readClient(place),
    onVersion: (version, saved) => {
      setDraft((before) => clientDraft(version, before));
      keep(saved);
    },
  });
  const vocabulary = clientVocabulary((id) => servers.find((one) => one.id === id)?.name);
  const problems = ownProblems ?? withoutConfig(fieldProblems(saver.error));
  const submit = () => {
    const outcome = readClientDraft(draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('version' in outcome) saver.review(outcome.version);
  };
  if (saver.conflict !== undefined) {
    return (
      <Conflict
        what="client"
        base={comparable(saver.base)}
        theirs={comparable(saver.conflict.theirs)}
        mine={comparable(saver.conflict.mine)}
        isSet={isClientSet}
        vocabulary={vocabulary}
        onTakeTheirs={saver.takeTheirs}
        onReapply={saver.reapplyMine}
      />
    );
  }
  return (
    <>
      <Form
        label="Client"
        problem={
          ownProblems === undefined
            ? saver.error?.message
            : problemSentence(ownProblems, shownFields)
        }
        attempt={ownProblems ?? saver.error}
        onSubmit={submit}
        buttons={
          <button type="submit" className="primary" disabled={saver.isSaving}>
            Review changes
          </button>
        }
      >
        <div className="workbench">
          <ClientFields draft={draft} servers={servers} problems={problems} onChange={setDraft} />
          <JsonPane
            label="Config as JSON"
            draft={draft.json}
            problem={problems['json']}
            onChange={(json) => setDraft({ ...draft, json })}
          />
        </div>
      </Form>
      {saver.reviewing !== undefined && (
        <ReviewChanges
          title={`Save ${saver.base.name}?`}
          changes={saver.changesTo(saver.reviewing)}
          vocabulary={vocabulary}
          busy={saver.isSaving}
          onSave={saver.confirm}
          onClose={saver.cancel}
        >
          <p className="hint">{impactWords(saver.base.impact, 'The change takes effect in')}</p>
        </ReviewChanges>
      )}
    </>
  );
}

const shownFields = [
  ...['name', 'modelId', 'systemPrompt', 'temperature', 'serverIds', 'optionalServerIds', 'json'],
  ...['connectionDefaults.headers', 'connectionDefaults.requestTimeout', 'clientCapabilities'],
  'mcpProfile.mcpProtocolVersion',
];

/** Both expectations always go along: a rename by somebody else is a change worth seeing too. */
function clientEdit(version: ClientVersion, base: ClientDetail) {
  const changesName = version.name !== base.name;
  return {
    ...(changesName ? { name: version.name } : {}),
    config: version.config,
    expectedConfigId: base.configId,
    expectedName: base.name,
  };
}

function withoutConfig(problems: FieldProblems): FieldProblems {
  return Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [name.replace(/^config\./, ''), problem]),
  );
}
