/**
 * What a gate says, as lines for a terminal: WAIVED first where only a waiver opens it, then what each bound came to.
 * A replay that did not go as recorded is no answer, and says so before whatever was graded of it.
 */
import type { RunGate, RunReplay, WaiverInForce } from '@proofmark/domain';
import { isAsRecorded } from './exit-codes.ts';
import { sayIn } from './say-lines.ts';
import type { TerminalAbility } from './terminal.ts';

const outcomeWords = {
  passed: 'GATE PASSED',
  failed: 'GATE FAILED',
  incomplete: 'NO ANSWER AT THE GATE',
} as const;

export function gateLines(
  waiver: WaiverInForce | undefined,
  gate: RunGate | undefined,
  replay: RunReplay | undefined,
  ability: TerminalAbility,
): string[] {
  const say = sayIn(ability);
  return [
    ...(waiver === undefined ? [] : say(`WAIVED until ${waiver.until} by ${waiver.by}.`)),
    ...replayGateLines(replay, ability),
    ...(gate === undefined
      ? []
      : [
          ...say(`${outcomeWords[gate.outcome]} by the given bounds:`),
          ...gate.gates.flatMap(({ reason }) => say(reason, '  ')),
        ]),
  ];
}

/** What bounds come to on a replay. */
export function gateOfReplay(gate: RunGate, replay: RunReplay | undefined): RunGate {
  return isAsRecorded(replay) ? gate : { ...gate, outcome: 'incomplete' };
}

export function replayGateLines(replay: RunReplay | undefined, ability: TerminalAbility): string[] {
  if (isAsRecorded(replay)) return [];
  return sayIn(ability)(
    'NO ANSWER: a replay decides only if no trial diverged and all were recorded.',
  );
}
