/**
 * One trial that did not pass: what it is, its six stages in chain order, why, what was expected and
 * observed, the one next action and where its trace is. A chain that did not validate shows nothing of
 * itself but that.
 */
import { nextAction } from '../chain/next-action.ts';
import type { DecisionChain } from '../chain/read-chain.ts';
import { failureCategories } from '../chain/vocabulary.ts';
import { trialStatuses } from '../verdict/decision.ts';
import type { DecisionDiagnostic } from '../verdict/diagnostics.ts';
import { join, quote, type Sentence, say, theirs } from './say.ts';
import type { TrialFact, TrialOutline } from './summary-outline.ts';
import { stateSymbol } from './symbols.ts';
import { categoryMeanings, reasonWords, stageWords, trialStatusWords } from './words.ts';

const listedTools = 10;

export function outlineTrial(trial: DecisionDiagnostic, ascii: boolean): TrialOutline {
  const { chain, evidence } = trial;
  const stages = chain.status === 'verified' ? chain.stages : [];
  return {
    heading: say`${theirs(trial.title ?? trial.caseId ?? trial.iterationId)}, trial ${trial.iterationNumber}: ${outcome(trial)}`,
    strip: stages.map(({ stage, state }) => `${stateSymbol(state, ascii)} ${stageWords[stage]}`),
    facts: [
      { label: 'Why', text: why(chain) },
      ...(evidence.reasons ?? []).map((reason) => ({
        label: 'Check' as const,
        text: say`${quote(reason)}`,
      })),
      ...expectedAndObserved(trial),
      { label: 'Next', text: action(trial.nextAction) },
      { label: 'Trace', text: say`${theirs(evidence.tracePath)}` },
    ],
  };
}

function outcome({ result, status }: DecisionDiagnostic): Sentence {
  if (result !== undefined) return say`${result}`;
  const known = trialStatuses.find((word) => word === status);
  return known === undefined ? say`status ${theirs(status)}` : say`${trialStatusWords[known]}`;
}

function why(chain: DecisionChain): Sentence {
  if (chain.status === 'absent') return say`No stage chain was recorded for this trial.`;
  const ahead = versionAhead(chain);
  if (chain.status === 'unverified') {
    return say`The stored stage chain does not hold together, so it is not shown.${ahead}`;
  }
  const failed = chain.stages.find((row) => row.stage === chain.firstFailedStage);
  if (failed) {
    const because =
      failed.reason === undefined
        ? '; no reason was recorded'
        : ` because ${reasonWords[failed.reason]}`;
    return say`${capital(stageWords[failed.stage])} failed${because}.${ahead}`;
  }
  const unmeasured = chain.stages.find((row) => row.state === 'notMeasured' && row.reason);
  const because =
    unmeasured?.reason === undefined
      ? ''
      : ` ${capital(stageWords[unmeasured.stage])} was not measured because ${reasonWords[unmeasured.reason]}.`;
  const category =
    chain.failureCategory === undefined ? '' : `: ${categoryMeanings[chain.failureCategory]}`;
  return say`No stage was seen to break${category}.${because}${ahead}`;
}

function versionAhead(chain: Exclude<DecisionChain, { status: 'absent' }>): string {
  const ahead = chain.analyzerVersionAhead;
  if (ahead === undefined) return '';
  return ` The chain comes from version ${ahead.reported} of the analyzer, newer than version ${ahead.known} known here.`;
}

function expectedAndObserved({ expected, observed }: DecisionDiagnostic): TrialFact[] {
  const called = observed?.toolNames;
  const seen = [
    ...(called === undefined ? [] : [tools(called)]),
    ...(called === undefined && expected !== undefined ? [say`no tool call recorded`] : []),
    ...(observed?.failure === undefined ? [] : [say`${quote(observed.failure)}`]),
  ];
  return [
    ...(expected === undefined
      ? []
      : [{ label: 'Expected' as const, text: tools(expected.toolNames) }]),
    ...(seen.length === 0 ? [] : [{ label: 'Observed' as const, text: join(seen, '; ') }]),
  ];
}

function tools(names: readonly string[]): Sentence {
  const listed = join(
    names.slice(0, listedTools).map((name) => say`${theirs(name)}`),
    ', ',
  );
  const unlisted = names.length - listedTools;
  return unlisted > 0 ? say`${listed} and ${unlisted} more` : listed;
}

// A summary may come from another service; only the sentences of our own are taken for our words.
function action(sentence: string): Sentence {
  const ours = [undefined, ...failureCategories].some((word) => nextAction(word) === sentence);
  return ours ? say`${sentence}` : say`${quote(sentence)}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
