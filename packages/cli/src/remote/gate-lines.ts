/**
 * Formats a gate's result for a terminal: the gate's word, waiver and quarantine, the result of
 * each bound, and drops that the gate could not have detected.
 */
import {
  type DecisionSummary,
  type GateWord,
  percent,
  type RunGate,
  type RunReplay,
  type UnseenDrop,
  wentAsRecorded,
} from '@proofmark/domain';
import {
  plainSentence,
  type QuarantineToRender,
  quarantineHead,
  quarantineSentences,
  type WaiverInForce,
} from '@proofmark/report';
import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export interface GateToTell {
  readonly word: GateWord;
  readonly summary: DecisionSummary;
  /** The valid waiver, if the run did not pass. */
  readonly waiver?: WaiverInForce | undefined;
  readonly quarantine?: QuarantineToRender | undefined;
  readonly bounds?: RunGate | undefined;
  readonly unseenDrop?: UnseenDrop | null;
}

const outcomeWords = {
  passed: 'PASSED',
  failed: 'FAILED',
  incomplete: 'INCONCLUSIVE',
} as const;

/**
 * The text of a decision begins with this word. A gate with the same word does not print it a
 * second time.
 */
const wordsOfVerdict: Readonly<Record<DecisionSummary['verdict'], GateWord | undefined>> = {
  passed: 'PASSED',
  failed: 'FAILED',
  inconclusive: 'INCONCLUSIVE',
  notEstablished: undefined,
};

export function gateLines(gate: GateToTell, ability: TerminalAbility): string[] {
  const wrap = sentenceWrapper(ability);
  const lines = [
    ...firstLine(gate, ability).flatMap((text) => wrap(text)),
    ...quarantineSentences(gate.quarantine).flatMap((sentence) =>
      wrap(plainSentence(sentence, ability.ascii), '  '),
    ),
    ...boundLines(gate).flatMap(({ text, indent }) => wrap(text, indent)),
    ...unseenWords(gate).flatMap((text) => wrap(text)),
  ];
  if (lines.length > 0 && !lines[0]?.startsWith(gate.word))
    return [...wrap(`${gate.word}.`), ...lines];
  return lines.length > 0 || isShownByVerdict(gate) ? lines : wrap(plainWords[gate.word]);
}

const plainWords: Readonly<Record<GateWord, string>> = {
  PASSED: 'PASSED.',
  FAILED: 'FAILED.',
  QUARANTINED: 'QUARANTINED.',
  WAIVED: 'WAIVED.',
  INCONCLUSIVE: 'INCONCLUSIVE: the run has no result that a gate can use.',
};

function isShownByVerdict({ word, summary }: GateToTell): boolean {
  const isPlain = summary.nothingCalled !== true && wentAsRecorded(summary.replay);
  return isPlain && wordsOfVerdict[summary.verdict] === word;
}

function firstLine(gate: GateToTell, { ascii }: TerminalAbility): string[] {
  const { word, waiver, quarantine, summary } = gate;
  const waiverText = waiver && `until ${waiver.until} by ${waiver.by}.`;
  if (word === 'WAIVED') return waiverText === undefined ? [] : [`WAIVED ${waiverText}`];
  const head = quarantine && quarantineHead(summary, { ...quarantine, word });
  const heads = head === undefined ? staleHead(gate) : [`${plainSentence(head, ascii)}.`];
  return [
    ...heads,
    ...(word === 'QUARANTINED' && waiverText ? [`A waiver is also in force ${waiverText}`] : []),
  ];
}

/** A stale quarantine entry (one that no longer applies) fails a gate even if all bounds passed. */
function staleHead({ word, quarantine, bounds }: GateToTell): string[] {
  const isByStale = word === 'FAILED' && bounds?.outcome === 'passed';
  return isByStale && quarantine?.stale.length ? ['FAILED by its quarantine:'] : [];
}

function boundLines({ bounds }: GateToTell): { text: string; indent: string }[] {
  if (bounds === undefined) return [];
  return [
    { text: `${outcomeWords[bounds.outcome]} by the given bounds:`, indent: '' },
    ...bounds.gates.map(({ reason }) => ({ text: reason, indent: '  ' })),
  ];
}

function unseenWords({ unseenDrop, word }: GateToTell): string[] {
  if (!unseenDrop) return [];
  const { drop, smallestDrop } = unseenDrop;
  const smallest =
    smallestDrop === null
      ? 'it cannot see any drop'
      : `the smallest that it can see is ${percent(smallestDrop)}`;
  const begin = word === 'INCONCLUSIVE' ? 'INCONCLUSIVE: this gate' : 'This gate';
  return [
    `${begin} could not have seen a drop of ${percent(drop)}: ${smallest}. Play more trials, or state a plan.`,
  ];
}

/** If a replay diverged from its recording, the outcome of its gate is `incomplete`. */
export function gateOfReplay(gate: RunGate, replay: RunReplay | undefined): RunGate {
  return wentAsRecorded(replay) ? gate : { ...gate, outcome: 'incomplete' };
}
