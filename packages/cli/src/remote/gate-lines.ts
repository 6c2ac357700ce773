/**
 * A gate's result as lines for a terminal: WAIVED first if the gate passes only because of a
 * waiver, then the result of each bound.
 */
import { type RunGate, type RunReplay, wentAsRecorded } from '@proofmark/domain';
import type { WaiverInForce } from '@proofmark/report';
import { sayIn } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

const outcomeWords = {
  passed: 'GATE PASSED',
  failed: 'GATE FAILED',
  incomplete: 'NO ANSWER AT THE GATE',
} as const;

export function gateLines(
  waiver: WaiverInForce | undefined,
  gate: RunGate | undefined,
  ability: TerminalAbility,
): string[] {
  const say = sayIn(ability);
  return [
    ...(waiver === undefined ? [] : say(`WAIVED until ${waiver.until} by ${waiver.by}.`)),
    ...(gate === undefined
      ? []
      : [
          ...say(`${outcomeWords[gate.outcome]} by the given bounds:`),
          ...gate.gates.flatMap(({ reason }) => say(reason, '  ')),
        ]),
  ];
}

/** Returns the gate for a run that may be a replay; it is incomplete if the replay diverged. */
export function gateOfReplay(gate: RunGate, replay: RunReplay | undefined): RunGate {
  return wentAsRecorded(replay) ? gate : { ...gate, outcome: 'incomplete' };
}
