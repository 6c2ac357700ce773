/** The text of a gate, shared by all commands that exit like one. Its first word is the gate's. */
import type { GateWord, RunGate, UnseenDrop } from '@proofmark/domain';
import { gateOfDecision, quarantineToRender, waiverOf } from '@proofmark/report';
import type { Connection } from './connection.ts';
import { decisionText, type KnownDecision } from './decision-text.ts';
import { gateLines } from './gate-lines.ts';
import type { QuarantineOfRun } from './read-quarantine-of-run.ts';
import type { TerminalAbility } from './terminal.ts';

export interface GateToRead extends KnownDecision {
  readonly quarantine: QuarantineOfRun;
}

export interface GateTextOptions extends TerminalAbility {
  readonly brief?: boolean;
  readonly listsPassed?: boolean;
  /** A gate with bounds or a stated drop; absent if the run's decision alone opens the gate. */
  readonly stated?: {
    readonly word: GateWord;
    readonly bounds: RunGate | undefined;
    readonly unseenDrop: UnseenDrop | null;
  };
}

export function gateText(
  connection: Pick<Connection, 'url'>,
  { quarantine, ...decision }: GateToRead,
  { stated, ...options }: GateTextOptions,
): string {
  const { run, summary } = decision;
  const decided = { run, summary, quarantine };
  const { word } = stated ?? gateOfDecision(decided);
  const toRender = quarantineToRender(decided);
  const gate = {
    word,
    summary,
    waiver: waiverOf(run),
    // A bound may close a gate that the quarantine alone would open.
    quarantine: toRender && { ...toRender, word },
    bounds: stated?.bounds,
    unseenDrop: stated?.unseenDrop ?? null,
  };
  const lines = gateLines(gate, options).map((line) => `${line}\n`);
  return `${lines.join('')}${decisionText(connection, decision, { format: 'text', ...options })}`;
}
