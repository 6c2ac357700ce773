import type { EvalCase, EvalSuiteDetail, EvalSuiteHistory } from '@proofmark/contract';
import {
  asksModel,
  caseRepetitions,
  cleanText,
  count,
  type Step,
  warnOfCases,
} from '@proofmark/domain';
import { callText, checkText, widgetActionWords } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { useNoWidgets } from '../../../kit/data/capabilities.ts';
import type { SuiteIds } from '../data/eval-suites.ts';
import { CaseMarks } from './case-marks.tsx';
import { CaseRows } from './case-rows.tsx';
import { statedSettings } from './stated-settings.ts';

type Settings = EvalSuiteDetail['settings'];
type Check = Settings['checks'][number];

export function CaseList(props: {
  ids: SuiteIds;
  cases: readonly EvalCase[];
  suite: Pick<EvalSuiteDetail, 'settings' | 'mode'>;
  history: EvalSuiteHistory | undefined;
}) {
  const { ids, cases } = props;
  const { settings, mode } = props.suite;
  const isContract = mode === 'serverContract';
  return (
    <>
      {isContract && (
        <p className="intro">
          A server contract: it holds what the servers list and answer, and asks no model.
        </p>
      )}
      {settings.checks.length > 0 && (
        <div className="panel suite-checks">
          <h3>Checks of every case</h3>
          <ul className="case-steps">
            <Checks checks={settings.checks} />
          </ul>
        </div>
      )}
      <AroundOfSuite settings={settings} />
      <ul className="case-list">
        {cases.map((one) => (
          <li key={one.id} className="panel">
            <div className="case-head">
              <h3>
                <bdi>{one.title}</bdi>
                {one.isNegative && <span className="tag">no tool may be called</span>}
                {one.disabled && <span className="tag">left out of runs</span>}
              </h3>
              <Link
                to="/projects/$projectId/suites/$suiteId/cases/$caseId"
                params={{ ...ids, caseId: one.id }}
                className="edit-case"
                aria-label={`Edit ${cleanText(one.title, false)}`}
              >
                Edit
              </Link>
            </div>
            {props.history !== undefined && (
              <CaseMarks projectId={ids.projectId} history={props.history} of={one} />
            )}
            <ol className="case-steps">
              <SetupCalls part="before" calls={one.before} />
              {one.steps.map((step) => (
                <li key={step.id}>
                  <span className="hint">{stepNames[step.kind]}</span> <bdi>{stepText(step)}</bdi>
                  {'timeoutMs' in step && <TimeLimit ms={step.timeoutMs} />}
                </li>
              ))}
              <SetupCalls part="after" calls={one.after} />
            </ol>
            <ChecksOfCase checks={one.checks} ofSuite={settings.checks} />
            {one.data !== undefined && <CaseRows ids={ids} caseId={one.id} data={one.data} />}
            <Warnings of={one} settings={settings} projectId={ids.projectId} />
            <p className="hint">
              {`${trialWords(one, settings)}, ${isContract ? 'without a model' : modelWords(one)}`}
              <TimeLimit ms={one.timeoutMs} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function TimeLimit({ ms }: { ms: number | undefined }) {
  return ms === undefined ? null : <span className="hint">{`, within ${ms / 1000} s`}</span>;
}

function AroundOfSuite({ settings: { before = [], after = [] } }: { settings: Settings }) {
  if (before.length + after.length === 0) return null;
  return (
    <div className="panel suite-checks">
      <h3>Around every trial</h3>
      <ul className="case-steps">
        <SetupCalls part="before" calls={before} />
        <SetupCalls part="after" calls={after} />
      </ul>
    </div>
  );
}

/** Calls before and after a case; they are never graded. */
function SetupCalls(props: { part: 'before' | 'after'; calls: EvalCase['before'] }) {
  return props.calls?.map((call) => (
    <li key={`${props.part} ${call.id}`}>
      <span className="hint">{aroundNames[props.part]}</span> <bdi>{stepText(call)}</bdi>
    </li>
  ));
}

const aroundNames = { before: 'Before', after: 'After' } as const;

/**
 * Shows warnings that follow from the case alone. The service checks only at a launch whether the
 * servers have the case's tools.
 */
function Warnings(props: { of: EvalCase; settings: Settings; projectId: string }) {
  const { of: one, settings, projectId } = props;
  const noWidgets = useNoWidgets(projectId);
  // The list of cases contains no rows. Without rows, templates count as plain text, which does not
  // change the assertions.
  const { data: _rows, ...definition } = one;
  const stated = [{ path: '', definition }];
  const warnings = warnOfCases(stated, statedSettings(settings), undefined, { noWidgets });
  return warnings.map(({ message }) => (
    <p key={message} className="warning">
      <bdi>{message}</bdi>
    </p>
  ));
}

/** The case's own checks. They apply in addition to the suite's checks or in place of them. */
function ChecksOfCase(props: { checks: EvalCase['checks']; ofSuite: readonly Check[] }) {
  const { checks, ofSuite } = props;
  if (checks === undefined || checks.mode === 'inherit') return null;
  const list = checks.list ?? [];
  const replaces = checks.mode === 'replace' && ofSuite.length > 0;
  if (list.length === 0 && !replaces) return null;
  return (
    <ul className="case-steps case-checks" aria-label="Checks of the whole case">
      <Checks checks={list} />
      {replaces && (
        <li className="hint">
          {list.length === 0
            ? 'The checks of the suite do not apply.'
            : 'In place of the checks of the suite.'}
        </li>
      )}
    </ul>
  );
}

function Checks({ checks }: { checks: readonly Check[] }) {
  return checks.map((check, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: checks are known by their index.
    <li key={index}>
      <span className="hint">{stepNames.assert}</span> <bdi>{checkText(check)}</bdi>
    </li>
  ));
}

/** Each row counts as a separate case with all repetitions. */
function trialWords(one: EvalCase, settings: Settings): string {
  const trials = count(repetitions(one, settings), 'trial');
  return one.data === undefined ? `${trials} in each run` : `${trials} of each row in a run`;
}

/** Returns the repetitions on each model, by the same rule that plans a run. */
function repetitions({ iterations, iterationsInherited }: EvalCase, settings: Settings): number {
  return caseRepetitions({ ofCase: iterationsInherited ? undefined : iterations }, settings);
}

function modelWords({ models, steps }: EvalCase): string {
  if (!steps.some(asksModel)) return 'without a model';
  if (models.length === 0) return 'with the model of the suite';
  const each = models.length > 1 ? 'for each of ' : 'with ';
  return `${each}${models.map(({ model }) => model).join(', ')}`;
}

const stepNames = {
  prompt: 'Say',
  toolCall: 'Call',
  getPrompt: 'Prompt',
  readResource: 'Read',
  interact: 'Do',
  assert: 'Check',
} as const;

function stepText(step: Step): string {
  switch (step.kind) {
    case 'prompt':
      return step.prompt;
    case 'toolCall':
      return `${step.serverName}: ${callText(step)}`;
    case 'getPrompt':
      return `${step.serverName}: ${callText({ toolName: step.promptName, arguments: step.arguments ?? {} })}`;
    case 'readResource':
      return `${step.serverName}: ${step.uri}`;
    case 'interact':
      return `${step.toolName}: ${widgetActionWords(step.action)}`;
    case 'assert':
      return checkText(step.assertion);
  }
}
