import '../../../kit/styles/workbench.css';
import type { ProjectServer } from '@proofmark/contract';
import {
  attachServers,
  type ClientTemplateId,
  clientTemplateIds,
  knownOfHost,
  listClientTemplates,
  templateConfig,
} from '@proofmark/domain';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { withJson } from '../../../kit/changes/json-draft.ts';
import { problemSentence } from '../../../kit/changes/problem-sentence.ts';
import { CheckList } from '../../../kit/check-list.tsx';
import { fieldProblems, formProblem } from '../../../kit/data/field-problems.ts';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { firstServers } from '../../../kit/first-choice.ts';
import { NewEntityForm, whenCreated } from '../../../kit/frame/new-entity-form.tsx';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { clientDraft, readClientDraft } from '../client-draft.ts';

const route = '/signed-in/projects/$projectId/clients/new';
const templates = listClientTemplates();
const newClient = (projectId: string) =>
  ({ what: 'client', projectId, section: 'clients' }) as const;

export function NewClientPage() {
  const { projectId } = useParams({ from: route });
  const project = useProject(projectId);
  const servers = useWholeList('listProjectServers', { projectId });
  return (
    <NewEntityPage
      entity={newClient(projectId)}
      intro="The program that talks to MCP servers for a person: its model, its prompt and what it tells servers."
    >
      <QueryView query={project}>
        {() => (
          <QueryView query={servers}>
            {(all) => <NewClientForm projectId={projectId} servers={all} />}
          </QueryView>
        )}
      </QueryView>
    </NewEntityPage>
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose fields show the same config.
function NewClientForm(props: { projectId: string; servers: readonly ProjectServer[] }) {
  const { projectId, servers } = props;
  const entity = newClient(projectId);
  const navigate = useNavigate();
  const create = useChange('createClient', { projectId });
  // The page's address contains the chosen template. A value that is no template selects the JSON
  // form.
  const { from = 'proofmark' } = useSearch({ from: route });
  const template = clientTemplateIds.find((id) => id === from);
  const [chosen, setChosen] = useState<readonly string[]>(() => firstServers(servers));
  const [name, setName] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const shownName = name ?? (template === undefined ? '' : labelOf(template));
  const config = attachServers(templateConfig(template ?? 'proofmark'), {
    serverIds: chosen,
    optionalServerIds: [],
  });
  const text = template === undefined ? (typed ?? written(config)) : written(config);
  const problems = fieldProblems(create.error);
  const choose = (next: string) => {
    if (next === 'json' && typed === undefined) setTyped(written(config));
    void navigate({
      to: '/projects/$projectId/clients/new',
      params: { projectId },
      search: { from: next },
      replace: true,
      resetScroll: false,
    });
  };
  const submit = () => {
    const start = clientDraft({ name: shownName, config });
    const read = readClientDraft(
      template === undefined ? { ...start, json: withJson(start.json, text) } : start,
    );
    setProblem('problems' in read ? problemSentence(read.problems, []) : undefined);
    if ('problems' in read) return;
    const isPlain = template !== undefined && chosen.length === 0;
    const body = isPlain ? { template } : { config: read.version.config };
    create.mutate(
      { name: shownName, ...body },
      whenCreated(entity, ({ id: clientId }) =>
        navigate({ to: '/projects/$projectId/clients/$clientId', params: { projectId, clientId } }),
      ),
    );
  };
  return (
    <NewEntityForm
      entity={entity}
      problem={problem ?? formProblem(create.error, ['name'])}
      attempt={problem ?? create.error}
      isCreating={create.isPending}
      onSubmit={submit}
    >
      <div className="workbench">
        <div>
          <Field label="Name" problem={problems['name']}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={shownName}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          {template !== undefined && (
            <CheckList
              legend="Servers"
              none="This project has no servers yet."
              options={servers.map(({ id, name: server, url }) => ({
                id,
                name: server,
                hint: url ?? undefined,
              }))}
              chosen={chosen}
              onChange={setChosen}
            />
          )}
          <Templates chosen={template ?? 'json'} onChoose={choose} />
        </div>
        <div className="json-pane">
          <ConfigField text={text} isOfTemplate={template !== undefined} onChange={setTyped} />
        </div>
      </div>
    </NewEntityForm>
  );
}

function ConfigField(props: {
  text: string;
  isOfTemplate: boolean;
  onChange: (text: string) => void;
}) {
  return (
    <Field
      label="Config as JSON"
      hint={
        props.isOfTemplate
          ? 'What this template starts with. Everything can be changed afterwards.'
          : 'The whole config, with the ids of its servers. They can be changed on the next page, too.'
      }
    >
      {(control) => (
        <textarea
          {...control}
          className="code"
          rows={24}
          spellCheck={false}
          readOnly={props.isOfTemplate}
          value={props.text}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function Templates(props: { chosen: string; onChoose: (from: string) => void }) {
  const choices = [
    ...templates.map((template) => ({ ...template, known: knownOfHost(template.id) })),
    { id: 'json', label: 'From JSON', modelId: 'a config of your own', known: undefined },
  ];
  return (
    <fieldset>
      <legend>Start from</legend>
      <p className="hint">
        Names say which client a template resembles. Prompts, models and abilities are ours, to be
        edited.
      </p>
      <div className="templates">
        {choices.map(({ id, label, modelId, known }) => (
          <label key={id}>
            <input
              type="radio"
              name="template"
              checked={props.chosen === id}
              onChange={() => props.onChoose(id)}
            />
            <span>
              {label}
              <span className={id === 'json' ? 'hint' : 'hint code'}>{modelId}</span>
              {known !== undefined && <span className="hint">{known}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function labelOf(id: ClientTemplateId): string {
  return templates.find((template) => template.id === id)?.label ?? id;
}

function written(config: unknown): string {
  return JSON.stringify(config, null, 2);
}
