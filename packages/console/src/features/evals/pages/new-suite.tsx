import '../../../kit/styles/workbench.css';
import '../../../kit/styles/server-calls.css';
import '../../../kit/styles/suite.css';
import type { BodyInputOf, EvalSuiteDetail } from '@proofmark/contract';
import type { SuiteMode } from '@proofmark/domain';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckList } from '../../../kit/check-list.tsx';
import { useChange, useWholeList } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { firstServers } from '../../../kit/first-choice.ts';
import { CancelLink, NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { notify } from '../../../kit/notice.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { ModelField, useOfferedModels } from '../../models/index.ts';
import { CasesFromTools } from '../cases-from-tools.tsx';
import { newStep } from '../suites/case-draft.ts';
import { CaseEditor } from '../suites/case-editor.tsx';
import { ImportFile } from '../suites/import-file.tsx';
import { unsavedSuite } from '../suites/suite-draft.ts';

interface Server {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

export function NewSuitePage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/suites/new' });
  const servers = useWholeList('listProjectServers', { projectId });
  const models = useOfferedModels();
  return (
    <NewEntityPage
      entity={{ what: 'suite', projectId, section: 'evals' }}
      intro="A suite is a list of cases that are run together. Drop a suite file, let the tools of a server make it, or write it."
    >
      <QueryView query={servers}>
        {([first, ...others]) =>
          first === undefined ? (
            <Empty title="No server yet">
              <p>A suite tests servers. Save one first.</p>
              <Link
                to="/projects/$projectId/servers/new"
                params={{ projectId }}
                className="button primary"
              >
                New server
              </Link>
            </Empty>
          ) : (
            <>
              <div className="two-columns">
                <ImportFile projectId={projectId} servers={[first, ...others]} />
                <CasesFromTools projectId={projectId} servers={[first, ...others]} />
              </div>
              <QueryView query={models}>
                {(offered) => (
                  <WriteSuite
                    projectId={projectId}
                    servers={[first, ...others]}
                    models={offered.map(({ id }) => id)}
                  />
                )}
              </QueryView>
            </>
          )
        }
      </QueryView>
    </NewEntityPage>
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose first case depends on what is chosen above it.
function WriteSuite(props: {
  projectId: string;
  servers: readonly Server[];
  models: readonly string[];
}) {
  const { projectId, servers, models } = props;
  const navigate = useNavigate();
  const create = useChange('createEvalSuite', { projectId });
  const [name, setName] = useState('');
  const [mode, setMode] = useState<SuiteMode>('agentWorkflow');
  const [model, setModel] = useState(models[0] ?? '');
  const [chosen, setChosen] = useState(() => firstServers(servers));
  const [isTried, setIsTried] = useState(false);
  const [isTyped, setIsTyped] = useState(false);
  const [firstMode, setFirstMode] = useState(mode);
  const isContract = mode === 'serverContract';
  const lacksName = name.trim() === '';
  const suite: EvalSuiteDetail = unsavedSuite({
    projectId,
    name: name.trim() || 'New suite',
    mode,
    model,
    servers: servers.filter(({ id }) => chosen.includes(id)),
  });
  const save = (first: unknown) => {
    if (lacksName || chosen.length === 0) return;
    const tests = [first] as BodyInputOf<'createEvalSuite'>['tests'];
    const body = { name: name.trim(), serverIds: [...chosen], mode, tests };
    create.mutate(isContract ? body : { ...body, model }, {
      onSuccess: ({ suiteId }) => {
        notify(`Suite ${name.trim()} created.`);
        void navigate({
          to: '/projects/$projectId/suites/$suiteId',
          params: { projectId, suiteId },
        });
      },
    });
  };
  const choose = (next: SuiteMode) => {
    setMode(next);
    if (!isTyped) setFirstMode(next);
  };
  return (
    <section aria-labelledby="write">
      <h2 id="write">Form</h2>
      <div className="form-room">
        <div className="form-fields">
          <Field label="Name" problem={isTried && lacksName ? 'Enter a name.' : undefined}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                maxLength={200}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <ModeField value={mode} onChange={choose} />
          {!isContract && (
            <ModelField
              hint="The model that is asked. proofmark/lexical-1 goes by words alone and costs nothing."
              value={model}
              onChange={setModel}
            />
          )}
          <CheckList
            legend="Servers"
            none="None yet."
            problem={isTried && chosen.length === 0 ? 'Choose a server.' : undefined}
            options={servers}
            chosen={chosen}
            onChange={setChosen}
          />
        </div>
      </div>
      <h3>First case</h3>
      <p className="hint">
        A case is one thing to test: steps that are played, and checks that must hold. Further cases
        are added on the page of the suite.
      </p>
      <CaseEditor
        // The mode decides the kind of the first step, so a changed mode resets the form. If the
        // user has already typed something, the form is kept and its text is shown as invalid.
        key={firstMode}
        suite={suite}
        start={{ steps: [newStep(isContract ? 'toolCall' : 'prompt', [], onlyName(suite))] }}
        save={create}
        problemsAt="tests.0"
        action="Create suite"
        onSave={save}
        onTry={() => setIsTried(true)}
        onTyped={() => setIsTyped(true)}
        cancel={<CancelLink what="suite" projectId={projectId} section="evals" />}
      />
    </section>
  );
}

function onlyName({ environment: { servers } }: EvalSuiteDetail): string | undefined {
  return servers.length === 1 ? servers[0] : undefined;
}

function ModeField(props: { value: SuiteMode; onChange: (mode: SuiteMode) => void }) {
  return (
    <Field label="Kind of suite">
      {(control) => (
        <select
          {...control}
          value={props.value}
          onChange={({ target }) => props.onChange(target.value as SuiteMode)}
        >
          <option value="agentWorkflow">Prompts to a model that uses the servers</option>
          <option value="serverContract">
            Server contract: lists and answers of servers, without a model
          </option>
        </select>
      )}
    </Field>
  );
}
