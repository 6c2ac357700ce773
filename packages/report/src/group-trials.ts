/**
 * Groups trials with the same explanation into blocks.
 * - Trials of one case and model that differ only in their trace form one block, which shows the
 *   first trial's trace. If models are unknown, a repeated trial number must belong to another
 *   model, so it starts a new block.
 * - Trials of several cases form one block if they have the same reason and the cases did not cause
 *   it. Such trials called no tool and ended without a result, or failed before the selection.
 */
import {
  count,
  type DecisionDiagnostic,
  join,
  quote,
  type Sentence,
  say,
  theirs,
} from '@proofmark/domain';
import {
  isShownAsReason,
  outcomeOf,
  outlineTrial,
  type TrialWords,
  trialName,
} from './outline-trial.ts';
import type { TrialCalls } from './show-call.ts';
import type { TrialFact, TrialOutline } from './summary-outline.ts';

const listedSpans = 6;
const listedCases = 5;

export interface TrialGroup {
  /** At least one trial. The text of the first one applies to all. */
  readonly members: readonly [DecisionDiagnostic, ...DecisionDiagnostic[]];
  readonly isAcrossCases: boolean;
  readonly outline: TrialOutline;
  /**
   * Returns the model, such as ` on small (acme)`, if it is needed to identify a trial. Otherwise
   * returns an empty sentence.
   */
  modelOf(trial: DecisionDiagnostic): Sentence;
}

type ModelOf = TrialGroup['modelOf'];

interface Gathered {
  readonly members: [DecisionDiagnostic, ...DecisionDiagnostic[]];
  readonly outline: TrialOutline;
}

export function groupTrials(
  trials: readonly DecisionDiagnostic[],
  ascii: boolean,
  words: TrialWords,
): TrialGroup[] {
  const groups: Gathered[] = [];
  const open = new Map<string, Gathered>();
  const models = trialModels(trials, words.calls);
  for (const trial of trials) {
    const outline = outlineTrial(trial, ascii, words);
    const { caseId, testCaseId } = trial;
    const key = JSON.stringify([
      caseId,
      testCaseId,
      models.keyOf(trial),
      groupingKey(trial, outline),
    ]);
    const known = open.get(key);
    if (known !== undefined && !numbersIn(known).includes(trial.iterationNumber)) {
      known.members.push(trial);
      continue;
    }
    const group: Gathered = { members: [trial], outline };
    open.set(key, group);
    groups.push(group);
  }
  return mergeAcrossCases(groups, models.nameOf);
}

function mergeAcrossCases(groups: readonly Gathered[], modelOf: ModelOf): TrialGroup[] {
  const alike = new Map<string | Gathered, Gathered[]>();
  for (const group of groups) {
    const key = isStopped(group.members[0]) ? stoppedKey(group) : group;
    alike.set(key, [...(alike.get(key) ?? []), group]);
  }
  return [...alike.values()].map((members) => {
    const [only, another] = members as [Gathered, ...Gathered[]];
    return another === undefined ? ofOneCase(only, modelOf) : ofManyCases(members, only, modelOf);
  });
}

function ofOneCase({ members, outline }: Gathered, modelOf: ModelOf): TrialGroup {
  const [first] = members;
  const numbers = numbersOf(members.map(({ iterationNumber }) => iterationNumber));
  const heading = say`${trialName(first)}${modelOf(first)}, ${numbers}: ${outcomeOf(first)}`;
  return { members, isAcrossCases: false, modelOf, outline: { ...outline, heading } };
}

function ofManyCases(
  groups: readonly Gathered[],
  { members: [first], outline }: Gathered,
  modelOf: ModelOf,
): TrialGroup {
  const others = groups.flatMap(({ members }) => members).slice(1);
  const names = groups.map(
    (one) =>
      say`${trialName(one.members[0])}${modelOf(one.members[0])} (${numbersOf(numbersIn(one))})`,
  );
  const failure = first.observed?.failure;
  const unlisted = names.length - listedCases;
  const listed = join(names.slice(0, listedCases), ', ', unlisted > 0 ? ', ' : ' and ');
  const group: TrialGroup = {
    members: [first, ...others],
    isAcrossCases: true,
    modelOf,
    outline: {
      heading: say`${count(1 + others.length, 'trial')}: ${outcomeOf(first)}`,
      // Which stages apply depends on the case. So stages are shown only if they are the same for
      // all cases.
      strip: groups.every((one) => isSame(one.outline.strip, outline.strip)) ? outline.strip : [],
      facts: [
        { label: 'Trials', text: unlisted > 0 ? say`${listed} and ${unlisted} more` : listed },
        ...labelled(outline, 'Why'),
        ...labelled(outline, 'Check'),
        ...(failure === undefined || isShownAsReason(first)
          ? []
          : [{ label: 'Observed' as const, text: say`${quote(failure)}` }]),
        ...labelled(outline, 'Advice'),
        ...labelled(outline, 'Next'),
        ...(failure === undefined ? [] : labelled(outline, 'Trace')),
      ],
    },
  };
  return group;
}

function groupingKey(trial: DecisionDiagnostic, { strip, facts }: TrialOutline): unknown {
  const shown = facts.filter(({ label }) => label !== 'Trace');
  return [trial.title, outcomeOf(trial), strip, shown];
}

function isStopped({ result, observed, chain }: DecisionDiagnostic): boolean {
  if (observed?.toolNames !== undefined) return false;
  const stage = chain.status === 'verified' ? chain.firstFailedStage : undefined;
  return result === undefined || stage === 'connection' || stage === 'discovery';
}

function numbersIn({ members }: Gathered): number[] {
  return members.map(({ iterationNumber }) => iterationNumber);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}

function stoppedKey({ members: [first], outline }: Gathered): string {
  const words = [...labelled(outline, 'Why'), ...labelled(outline, 'Check')];
  const { status, result, observed, advice, nextAction } = first;
  return JSON.stringify([status, result, words, observed, advice, nextAction]);
}

function labelled({ facts }: TrialOutline, wanted: TrialFact['label']): TrialFact[] {
  return facts.filter(({ label }) => label === wanted);
}

/** Examples: `trial 3`, `trials 1 to 10`, `trials 1, 3 and 5 to 7`. */
export function numbersOf(given: readonly number[]): Sentence {
  const spans: [number, number][] = [];
  for (const number of given.toSorted((one, other) => one - other)) {
    const last = spans.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else spans.push([number, number]);
  }
  const pieces = spans.flatMap(([from, to]) => {
    if (from === to) return [say`${from}`];
    return to === from + 1 ? [say`${from}`, say`${to}`] : [say`${from} to ${to}`];
  });
  const unlisted = pieces.length - listedSpans;
  const listed = join(pieces.slice(0, listedSpans), ', ', unlisted > 0 ? ', ' : ' and ');
  const word = given.length === 1 ? 'trial' : 'trials';
  return unlisted > 0 ? say`${word} ${listed} and others` : say`${word} ${listed}`;
}

/**
 * The models of the trials, if known. If trials of one case ran on several models, a trial number
 * is ambiguous, so the model is named.
 */
interface TrialModels {
  keyOf(trial: DecisionDiagnostic): string;
  /** Returns the model, such as ` on small (acme)`, or an empty sentence. */
  nameOf(trial: DecisionDiagnostic): Sentence;
}

function trialModels(
  trials: readonly DecisionDiagnostic[],
  calls: ReadonlyMap<string, TrialCalls> | undefined,
): TrialModels {
  const ranOn = ({ iterationId }: DecisionDiagnostic) => {
    const { model, provider } = calls?.get(iterationId) ?? {};
    return { model: model ?? undefined, provider: provider ?? undefined };
  };
  const keyOf = (trial: DecisionDiagnostic) => JSON.stringify(ranOn(trial));
  const modelsOfCase = new Map<string, Set<string>>();
  for (const trial of trials) {
    const models = modelsOfCase.get(caseOf(trial)) ?? new Set();
    modelsOfCase.set(caseOf(trial), models.add(keyOf(trial)));
  }
  return {
    keyOf,
    nameOf(trial) {
      const { model, provider } = ranOn(trial);
      const isOnly = (modelsOfCase.get(caseOf(trial))?.size ?? 0) < 2;
      if (isOnly || model === undefined) return [];
      const named = provider === undefined ? '' : say` (${theirs(provider)})`;
      return say` on ${theirs(model)}${named}`;
    },
  };
}

function caseOf({ caseId, testCaseId, title }: DecisionDiagnostic): string {
  return JSON.stringify([caseId, testCaseId, title]);
}
